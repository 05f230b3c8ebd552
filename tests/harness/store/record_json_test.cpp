// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "harness/store/document.h"
#include "tests/harness/store/sample_records.h"

namespace warpmark {
namespace {

using nlohmann::json;

TEST(RecordJson, ASecondWriteGivesTheSameBytes) {
  for (const Record& record : {full_record(), bare_record()}) {
    const std::string first = to_json(record).dump();
    EXPECT_EQ(to_json(record_from_json(json::parse(first))).dump(), first);
  }
}

/// Another value that a field may have, so that a field which is not read shows.
json another(const json& value) {
  static const std::map<std::string, std::string> words{
      {"bf16", "i8"}, {"batch", "isolated"}, {"not_converged", "crashed"}, {"higher", "lower"}, {"lower", "higher"}};
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() / 2 + 1;
  if (value.is_number()) return value.get<double>() * 2 + 1;
  if (value.is_null()) return 0.5;
  const auto word = words.find(value.get<std::string>());
  return word == words.end() ? value.get<std::string>() + "?" : word->second;
}

TEST(RecordJson, EveryFieldIsWrittenAndRead) {
  const json whole = to_json(full_record());
  const json leaves = whole.flatten();
  for (const auto& [pointer, value] : leaves.items()) {
    if (pointer == "/verification/ok") continue;  // follows from the two numbers
    json changed = whole;
    changed[json::json_pointer(pointer)] = another(value);
    EXPECT_EQ(to_json(record_from_json(changed)), changed) << pointer;
    EXPECT_NE(to_json(record_from_json(changed)), whole) << pointer;
  }
}

TEST(RecordJson, RestoresTheCase) {
  const Case at = record_from_json(json::parse(to_json(full_record()).dump())).at;
  EXPECT_EQ(at.kernel, (KernelId{.backend = "cpu", .variant = "onednn", .dtype = DType::bf16}));
  EXPECT_EQ(at.mode, Mode::batch);
  EXPECT_EQ(at.at, full_record().at.at) << "in the order of the id, which JSON objects do not keep";
  EXPECT_EQ(at.integer("n"), 1024);
  EXPECT_EQ(std::get<std::string>(at["layout"]), "nt");
}

TEST(RecordJson, AWordOfDigitsStaysAWord) {
  Record record = bare_record();
  record.at.at = {{"kind", std::string("12")}};
  const Case at = record_from_json(to_json(record)).at;
  EXPECT_EQ(std::get<std::string>(at["kind"]), "12");
}

TEST(RecordJson, WhatIsNotFiniteIsNullAndComesBackAsNoNumber) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Record record = full_record();
  record.samples.seconds = {nan, 1, infinity};
  record.metrics[0].value = -infinity;
  record.metrics[0].of_ceiling = nan;
  record.verification = Verdict{.error = nan, .allowed = 1};
  const json written = to_json(record);
  EXPECT_TRUE(written.at("samples").at("seconds").at(0).is_null());
  EXPECT_TRUE(written.at("metrics").at(0).at("value").is_null());
  EXPECT_EQ(written.at("verification").at("ok"), false);

  const Record read = record_from_json(written);
  EXPECT_TRUE(std::isnan(read.samples.seconds[0]));
  EXPECT_EQ(read.samples.seconds[1], 1);
  EXPECT_TRUE(std::isnan(read.samples.seconds[2]));
  EXPECT_TRUE(std::isnan(read.metrics[0].value));
  EXPECT_FALSE(read.metrics[0].of_ceiling.has_value());
  EXPECT_FALSE(read.verification->ok());
  EXPECT_EQ(to_json(read).dump(), written.dump());
}

TEST(RecordJson, WordsThatDoNotExistAreRefused) {
  for (const auto* pointer : {"/status", "/mode", "/params/dtype", "/metrics/0/better"}) {
    json record = to_json(full_record());
    record[json::json_pointer(pointer)] = "okay";
    EXPECT_THROW((void)record_from_json(record), json::exception) << pointer;
  }
}

/// Of those that came later than the first versions of the program.
bool is_wall_time(const std::string& key) {
  return key == "warmup_seconds" || key == "sampling_seconds" || key == "verification_seconds";
}

TEST(RecordJson, AMissingFieldIsRefused) {
  const json whole = to_json(full_record());
  for (const auto& [key, unused] : whole.items()) {
    if (key == "telemetry" || key == "course" || is_wall_time(key)) continue;
    json record = whole;
    record.erase(key);
    EXPECT_THROW((void)record_from_json(record), json::exception) << key;
  }
}

TEST(RecordJson, DocumentsFromBeforeTelemetryModesAndWallTimesAreRead) {
  json old = to_json(full_record());
  for (const auto* key : {"telemetry", "warmup_seconds", "sampling_seconds", "verification_seconds"}) old.erase(key);
  old.at("stats").erase("modes");
  old.at("stats").erase("p999");
  const Record record = record_from_json(old);
  EXPECT_EQ(record.telemetry, json::object());
  EXPECT_EQ(record.sampling_seconds, 0);
  EXPECT_FALSE(record.stats->modes);
  EXPECT_FALSE(record.stats->p999);
  EXPECT_EQ(record.stats->ci_high, full_record().stats->ci_high);
}

}  // namespace
}  // namespace warpmark
