// SPDX-License-Identifier: Apache-2.0
#include "harness/store/checked_record.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/store/document.h"
#include "harness/store/schema_check.h"

namespace warpmark {
namespace {

[[noreturn]] void refuse(std::string_view source, const std::string& pointer, std::string_view what) {
  throw UsageError(fmt::format("{}: at {}: {}", source, pointer.empty() ? "the top" : pointer, what));
}

/// What a schema cannot say: readings belong to samples one to one.
void expect_one_per_sample(const Samples& samples, std::string_view source, std::string_view pointer) {
  const auto check = [&](const std::vector<double>& readings, std::string_view key) {
    if (readings.empty() || readings.size() == samples.seconds.size()) return;
    refuse(source, fmt::format("{}/samples/{}", pointer, key),
           fmt::format("expected {} numbers, one per entry of seconds, or none; found {}", samples.seconds.size(),
                       readings.size()));
  };
  check(samples.at, "at");
  check(samples.clock_hz, "clock_hz");
  check(samples.probe, "probe");
}

}  // namespace

void expect_schema(std::string_view part, const nlohmann::json& json, std::string_view source,
                   std::string_view pointer) {
  if (const auto violation = schema_violation(part, json))
    refuse(source, std::string(pointer) + violation->pointer, violation->what);
}

Record checked_record(const nlohmann::json& json, std::string_view source, std::string_view pointer) {
  expect_schema("record", json, source, pointer);
  Record record = record_from_json(json);
  expect_one_per_sample(record.samples, source, pointer);
  return record;
}

}  // namespace warpmark
