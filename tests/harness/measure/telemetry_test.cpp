// SPDX-License-Identifier: Apache-2.0
// What the device's watch sees, the clock in brief and the two levels of samples reach the record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/instant.h"
#include "harness/measure/sampling.h"
#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

json without_window(json telemetry) {
  telemetry.erase("window");
  return telemetry;
}

TEST(Telemetry, SaysWhenItWas) {
  Rig rig;
  const double before = monotonic_seconds();
  const Record record = rig.measure_twice();
  const json& window = record.telemetry.at("window");
  EXPECT_LE(before, window.at("begin").get<double>());
  EXPECT_LE(window.at("begin"), window.at("end"));
  EXPECT_LE(window.at("end").get<double>(), monotonic_seconds());
}

TEST(Telemetry, IsWhatTheWatchSaw) {
  Rig rig;
  const json seen{{"steal_share", 0.03}, {"denied", json::array()}};
  rig.script().telemetry = seen;
  EXPECT_EQ(without_window(rig.measure_twice().telemetry), seen);
  rig.script().telemetry->at("steal_share") = 0.5;
  EXPECT_EQ(rig.measure_twice().telemetry.at("steal_share"), 0.5);
}

TEST(Telemetry, IsWatchedFromTheWarmUpToTheLastSample) {
  Rig rig;
  rig.script().telemetry = json::object();
  const Record record = rig.measure_twice();
  ASSERT_EQ(record.status, Status::ok) << record.why;
  const std::int64_t turns = record.about.at("operand_sets").get<std::int64_t>();
  EXPECT_THAT(rig.device().watched, ElementsAre(turns, rig.device().launches)) << "every turn once to set up";
  EXPECT_LT(turns, rig.device().launches);
}

TEST(Telemetry, IsEmptyWhereThereIsNothingToWatchOrNothingRan) {
  Rig rig;
  EXPECT_EQ(without_window(rig.measure_twice().telemetry), json::object());
  rig.script().telemetry = {{"steal_share", 0.03}};
  rig.script().memory_bytes = 10;
  const Record skipped = rig.measure_twice();
  EXPECT_EQ(skipped.status, Status::skipped);
  EXPECT_EQ(skipped.telemetry, json::object());
}

TEST(Telemetry, HasTheClockInBrief) {
  Rig rig;
  rig.script().clock_hz = {2e9, 2e9, 3e9};
  const json clock = rig.measure_twice().telemetry.at("clock_hz");
  EXPECT_EQ(clock.at("median"), 3e9);
  // Ten samples read 2, 2.5, 3, 3, ... GHz: h = 9 * 0.05 = 0.45 of the way from the first to the second.
  EXPECT_DOUBLE_EQ(clock.at("p5"), 2.225e9);
  EXPECT_EQ(clock.at("p95"), 3e9);
}

TEST(Stats, SayWhenSamplesLieOnTwoLevels) {
  Rig rig;
  std::vector<double> seconds;
  for (int i = 0; i < 60; ++i) seconds.push_back(i % 15 < 5 ? 0.020 : 0.010);
  rig.script().seconds = [&](std::int64_t launch) {
    return seconds[static_cast<std::size_t>(launch) % seconds.size()];
  };
  Protocol protocol = short_protocol();
  protocol.min_samples = 60;
  const Record record = rig.measure_twice(protocol);
  ASSERT_TRUE(record.stats && record.stats->modes);
  EXPECT_EQ(record.stats->modes->levels[0], 0.010);
  EXPECT_EQ(record.stats->modes->levels[1], 0.020);
  EXPECT_GT(record.stats->modes->switches, 0);

  rig.script().seconds = [](std::int64_t) { return 0.010; };
  EXPECT_FALSE(rig.measure_twice(protocol).stats->modes);
}

}  // namespace
}  // namespace warpmark
