// SPDX-License-Identifier: Apache-2.0
// The schema of what a sampler read: strict in what the program computes with, open in the rest.
#include <gtest/gtest.h>

#include <tuple>

#include "harness/store/checked_record.h"
#include "harness/store/schema_check.h"
#include "tests/harness/store/refusal.h"
#include "tests/harness/store/sample_records.h"
#include "tests/harness/summary/sampled_document.h"

namespace warpmark {
namespace {

using nlohmann::json;

json telemetry() { return {{"window", {{"begin", 123.4}, {"end", 125.6}}}, {"sampled", quiet_sampled()}}; }

TEST(TelemetrySchema, KnowsWhatASamplerReads) {
  EXPECT_FALSE(schema_violation("telemetry", telemetry()));
  for (const json& sampled : {json::object(), json{{"readings", 0}, {"off", true}},
                              json{{"denied", json::array({{{"what", "sampled"}, {"why", "the sampler died"}}})}}})
    EXPECT_FALSE(schema_violation("telemetry", {{"sampled", sampled}})) << sampled;
}

TEST(TelemetrySchema, TakesNullForANumberThatIsNone) {
  for (const char* place : {"/sampled/clock_hz/median", "/sampled/power_w/max", "/sampled/series/clock_hz/1",
                            "/sampled/held_down/0/seconds", "/sampled/ecc/corrected", "/sampled/remapped_rows",
                            "/sampled/pcie/max_generation", "/sampled/foreign_processes"}) {
    json changed = telemetry();
    changed[json::json_pointer(place)] = nullptr;
    EXPECT_FALSE(schema_violation("telemetry", changed)) << place;
  }
}

TEST(TelemetrySchema, IsOpenForWhatOtherDevicesHave) {
  json changed = telemetry();
  changed["sampled"]["fan_share"] = 0.4;
  changed["sampled"]["pcie"]["replays"] = 3;
  changed["sampled"]["series"]["fan_share"] = "any";
  EXPECT_FALSE(schema_violation("telemetry", changed));
}

TEST(TelemetrySchema, RefusesAnotherType) {
  const std::vector<std::pair<const char*, json>> wrong{{"/window", 3},
                                                        {"/window/begin", "123"},
                                                        {"/window/middle", 1},
                                                        {"/sampled", json::array()},
                                                        {"/sampled/readings", -1},
                                                        {"/sampled/readings", 1.5},
                                                        {"/sampled/off", "no"},
                                                        {"/sampled/clock_hz", 1.7e9},
                                                        {"/sampled/clock_hz/median", "1.7"},
                                                        {"/sampled/power_w", json::object()},
                                                        {"/sampled/pcie/generation/max", "5"},
                                                        {"/sampled/held_down", json::object()},
                                                        {"/sampled/held_down/0/share", 1.5},
                                                        {"/sampled/held_down/0/share", nullptr},
                                                        {"/sampled/held_down/0/kind", "bad"},
                                                        {"/sampled/held_down/0/reason", 4},
                                                        {"/sampled/ecc/corrected", -1},
                                                        {"/sampled/xids", 79},
                                                        {"/sampled/xids", json::array({"79"})},
                                                        {"/sampled/series/at", json::array({"0"})},
                                                        {"/sampled/series/power_w", 3},
                                                        {"/sampled/denied", "why"},
                                                        {"/sampled/denied", json::array({"why"})}};
  for (const auto& [place, value] : wrong) {
    json changed = telemetry();
    changed[json::json_pointer(place)] = value;
    EXPECT_TRUE(schema_violation("telemetry", changed)) << place << " " << value;
  }
}

TEST(CheckedRecord, NamesTheMemberOfTheTelemetryThatIsWrong) {
  json record = to_json(full_record());
  record["telemetry"].update(telemetry());
  EXPECT_EQ(to_json(checked_record(record, "r.json", ""))["telemetry"], record["telemetry"]);
  record["telemetry"]["sampled"]["held_down"][0]["share"] = 2;
  EXPECT_NE(refusal([&] {
              (void)checked_record(record, "r.json", "");
            }).find("r.json: at /telemetry/sampled/held_down/0/share"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmark
