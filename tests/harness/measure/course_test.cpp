// SPDX-License-Identifier: Apache-2.0
// Cases that run for a given time: nothing of it is left out, and their numbers are those of its parts.
#include "harness/measure/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t set_up = 1;  // launches before the first window: one set, and one to know how long a launch is

Benchmark lasting() {
  Benchmark benchmark = twice();
  benchmark.modes = {Mode::batch};
  benchmark.lasts = [](const Case&) { return 15.0; };
  return benchmark;
}

/// 10 ms a launch, 20 of which fill a window of 0.2 s; from `slow_from` seconds on they take 1 / 0.6 as long.
Record measured(Rig& rig, double slow_from) {
  rig.script().seconds = [slow_from](std::int64_t launch) {
    return static_cast<double>(launch - set_up - 1) * 0.010 < slow_from ? 0.010 : 0.010 / 0.6;
  };
  return rig.measure(lasting(), Mode::batch);
}

const Metric* named(const Record& record, std::string_view name) {
  for (const Metric& metric : record.metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

TEST(Course, HasEveryWindowOfItsTime) {
  Rig rig;
  const Record record = measured(rig, 1e9);
  EXPECT_EQ(record.status, Status::ok) << record.why;
  EXPECT_THAT(record.samples.warmup, SizeIs(1)) << "no more than one launch is left out";
  EXPECT_EQ(record.samples.batch, 20);
  EXPECT_NEAR(record.samples.at.back() + 0.2, 15, 0.21);
  EXPECT_THAT(record.samples.seconds, SizeIs(75));
  ASSERT_TRUE(record.course);
  EXPECT_EQ(record.course->settled_at, 0);
  EXPECT_EQ(named(record, "first_bandwidth")->value, record.metrics.front().value);
  EXPECT_EQ(named(record, "settling_time")->value, 0);
}

TEST(Course, TellsTheFirstSecondsFromWhatStays) {
  Rig rig;
  const Record record = measured(rig, 4);
  EXPECT_EQ(record.status, Status::ok) << record.why;
  EXPECT_NEAR(*record.course->settled_at, 4, 1e-6);
  EXPECT_NEAR(record.course->first_until, 3, 0.1);
  // 16000 B a launch.
  EXPECT_NEAR(named(record, "first_bandwidth")->value, 1.6e6, 1);
  EXPECT_NEAR(record.metrics.front().value, 0.96e6, 1) << "the headline is what stays";
  EXPECT_EQ(named(record, "settling_time")->better, Better::lower);
}

TEST(Course, ThatIsStillChangingIsNotConverged) {
  Rig rig;
  const Record record = measured(rig, 11);
  EXPECT_EQ(record.status, Status::not_converged);
  EXPECT_THAT(record.why, HasSubstr("still changing after 15.0 s"));
  EXPECT_FALSE(record.course->settled_at);
  EXPECT_EQ(named(record, "settling_time"), nullptr);
  EXPECT_NE(named(record, "first_bandwidth"), nullptr);
}

TEST(Course, IsOnlyOfCasesThatRunForAGivenTime) {
  Rig rig;
  const Record record = rig.measure_twice();
  EXPECT_FALSE(record.course);
  EXPECT_THAT(record.metrics, SizeIs(1));
}

TEST(PerWatt, IsOfTheSteadyPartAlone) {
  Rig rig;
  Record record = measured(rig, 4);
  record.telemetry["sampled"] = {{"power_w", {{"median", 500}, {"min", 100}, {"max", 700}}},
                                 {"series", {{"at", {1, 3, 5, 7}}, {"power_w", {700, 700, 400, nullptr}}}}};
  add_per_watt(record);
  ASSERT_NE(named(record, "bandwidth_per_watt"), nullptr);
  EXPECT_NEAR(named(record, "bandwidth_per_watt")->value, 2400, 0.1);  // 0.96e6 / 400
  EXPECT_EQ(named(record, "bandwidth_per_watt")->unit, "B/s/W");
}

TEST(PerWatt, IsLeftOutWherePowerIsNotKnown) {
  Rig rig;
  Record record = measured(rig, 4);
  add_per_watt(record);
  for (const nlohmann::json& odd :
       {nlohmann::json("none"), nlohmann::json{{"series", "none"}, {"power_w", {1, 2}}},
        nlohmann::json{{"series", {{"at", {"x"}}, {"power_w", 7}}}, {"power_w", {{"median", nullptr}}}}}) {
    record.telemetry["sampled"] = odd;
    add_per_watt(record);
  }
  EXPECT_THAT(record.metrics, SizeIs(3));
  Record burst = rig.measure_twice();
  burst.telemetry["sampled"] = {{"power_w", {{"median", 500}}}};
  add_per_watt(burst);
  EXPECT_THAT(burst.metrics, SizeIs(1));
}

TEST(LongWarmUp, EndsWhenTheRateHasSettled) {
  // For 3 s twice as slow, and then for good: windows of 0.1 s agree from the start, and so would a short warm-up's.
  Rig rig;
  rig.script().seconds = [](std::int64_t launch) { return launch < 150 ? 0.020 : 0.010; };
  const Record record = rig.measure(twice(), Mode::isolated, protocol_in(Regime::steady, short_protocol()));
  EXPECT_GE(record.warmup_seconds, 5);
  EXPECT_LT(record.warmup_seconds, 15);
  EXPECT_EQ(record.samples.seconds.front(), 0.010);
  EXPECT_LT(record.samples.warmup.size(), 160U);
}

TEST(LongWarmUp, EndsAtItsLongestWhereNothingSettles) {
  Rig rig;
  rig.script().seconds = [](std::int64_t launch) { return 0.010 * (1 + 0.0005 * static_cast<double>(launch)); };
  const Record record = rig.measure(twice(), Mode::isolated, protocol_in(Regime::steady, short_protocol()));
  EXPECT_GE(record.warmup_seconds, 15);
}

}  // namespace
}  // namespace warpmark
