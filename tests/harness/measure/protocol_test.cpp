// SPDX-License-Identifier: Apache-2.0
// The measuring protocol to the digit: every launch's seconds are given, so every number that comes out is known.
// An isolated measurement of `twice` launches both of its sets once, then warms up, then takes samples; at 10 ms a
// launch, each window of the warm-up is one launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t set_up = 2;         // launches of the set-up, one per set
constexpr std::int64_t warm = set_up + 3;  // and of a warm-up of three equal windows

std::vector<double> alternating(double a, double b, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? a : b);
  return values;
}

TEST(WarmUp, EndsWhenThreeWindowsAgreeWithinOnePercent) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(set_up, 0.010, {0.020, 0.015, 0.010, 0.01005, 0.0101, 0.010, 0.0100});
  // .020 .015 .010 no; .015 .010 .01005 no; .010 .01005 .0101: the largest is 1.01 times the smallest.
  const Record record = rig.measure_twice();
  EXPECT_THAT(record.samples.warmup, ElementsAre(0.020, 0.015, 0.010, 0.01005, 0.0101));
  EXPECT_EQ(record.samples.seconds.front(), 0.010);
}

TEST(WarmUp, GoesOnWhileTheyDoNot) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(set_up, 0.010, {0.010, 0.0102, 0.010, 0.0102, 0.0102, 0.0102});
  EXPECT_THAT(rig.measure_twice().samples.warmup, ElementsAre(0.010, 0.0102, 0.010, 0.0102, 0.0102, 0.0102));
}

TEST(WarmUp, EndsAtItsLongest) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(set_up, 0.010, alternating(0.010, 0.012, 50));
  Protocol protocol = short_protocol();
  protocol.max_warmup_seconds = 0.1;
  // Ended after .010 .022 .032 .044 .054 .066 .076 .088 .098 .110 s.
  EXPECT_THAT(rig.measure_twice(protocol).samples.warmup, SizeIs(10));
}

TEST(WallTimes, AreThoseOfTheParts) {
  Rig rig;
  const Record record = rig.measure_twice();  // 3 launches of 10 ms warm it up, 10 are samples
  EXPECT_DOUBLE_EQ(record.setup_seconds, 0.010 * set_up);
  EXPECT_NEAR(record.warmup_seconds, 0.030, 1e-9);
  EXPECT_NEAR(record.sampling_seconds, 0.010 * static_cast<double>(record.samples.seconds.size()), 1e-9);
  EXPECT_EQ(record.verification_seconds, 0);  // checks here take no time of the scripted clock
}

TEST(WarmUp, LastsAtLeastItsShortest) {
  Rig rig;
  Protocol protocol = short_protocol();
  protocol.min_warmup_seconds = 0.055;
  EXPECT_THAT(rig.measure_twice(protocol).samples.warmup, SizeIs(6));  // .060 s
}

TEST(WarmUp, FillsWindowsOfFiveMillisecondsAfterTheFirst) {
  Rig rig;
  rig.script().seconds = [](std::int64_t) { return 0.001; };
  const Record record = rig.measure_twice();
  EXPECT_THAT(record.samples.warmup, AllOf(SizeIs(3), Each(DoubleEq(0.001))));
  EXPECT_EQ(rig.device().launches, set_up + 1 + 5 + 5 + std::ssize(record.samples.seconds));
}

TEST(WarmUp, IsNotPartOfTheSamples) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(warm, 0.020, {0.010});
  EXPECT_THAT(rig.measure_twice().samples.seconds, Each(0.010));
}

TEST(Batch, HoldsAsManyLaunchesAsFillItsTime) {
  Rig rig;
  rig.script().seconds = [](std::int64_t) { return 0.0003; };
  const Record record = rig.measure(twice(), Mode::batch);
  EXPECT_EQ(record.samples.batch, 7);  // 2 ms / 0.3 ms = 6.67
  EXPECT_THAT(record.samples.seconds, AllOf(SizeIs(10), Each(DoubleEq(0.0003))));
  // One set; windows of 1, 17 and 17 launches (5 ms / 0.3 ms = 16.7); ten samples.
  EXPECT_EQ(rig.device().launches, 1 + 1 + 17 + 17 + 10 * 7);
}

TEST(Batch, IsOneLaunchWhereOneFillsIt) {
  Rig rig;
  EXPECT_EQ(rig.measure(twice(), Mode::batch).samples.batch, 1);
}

TEST(Batch, IsNotForIsolatedSamples) {
  Rig rig;
  rig.script().seconds = [](std::int64_t) { return 0.0003; };
  EXPECT_EQ(rig.measure_twice().samples.batch, 1);
}

TEST(Samples, StopAtTheFewestWhenTheyAgree) {
  Rig rig;
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::ok) << record.why;
  EXPECT_THAT(record.samples.seconds, SizeIs(10));
  EXPECT_EQ(record.stats->n, 10);
}

TEST(Samples, GoOnForTheLeastTime) {
  Rig rig;
  Protocol protocol = short_protocol();
  protocol.min_seconds = 0.155;
  EXPECT_THAT(rig.measure_twice(protocol).samples.seconds, SizeIs(16));
}

TEST(Samples, StopOnceTheIntervalOfTheMedianIsNarrow) {
  Rig rig;
  // Two slow samples of n: the interval is x(k)..x(n+1-k), and both lie outside of it once k is 3, from n = 12 on.
  rig.script().seconds = seconds_by_launch(warm, 0.010, {0.020, 0.020, 0.010});
  Protocol protocol = short_protocol();
  protocol.min_samples = 6;
  const Record record = rig.measure_twice(protocol);
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_THAT(record.samples.seconds, SizeIs(12));
}

TEST(Samples, StopSoonerForAWiderInterval) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(warm, 0.010, {0.020, 0.020, 0.010});
  Protocol protocol = short_protocol();
  protocol.min_samples = 6;
  protocol.interval = 1;  // .010 +- .010
  EXPECT_THAT(rig.measure_twice(protocol).samples.seconds, SizeIs(6));
}

TEST(Samples, ThatNeverAgreeAreNotConverged) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(warm, 0.010, alternating(0.010, 0.020, 200));
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::not_converged);
  EXPECT_THAT(record.samples.seconds, SizeIs(100));
  EXPECT_THAT(record.metrics, SizeIs(1)) << "the number may be used";
  EXPECT_EQ(
      record.why,
      "after 100 samples the median is known to +-33.3 %, +-1.00 % is asked for: other load, or a changing clock");
}

TEST(Samples, EndWithTheTime) {
  Rig rig;
  rig.script().seconds = seconds_by_launch(warm, 0.010, alternating(0.010, 0.020, 200));
  Protocol protocol = short_protocol();
  protocol.max_seconds = 0.1;
  const Record record = rig.measure_twice(protocol);
  // Ended after .010 .030 .040 .060 .070 .090 .100 s.
  EXPECT_THAT(record.samples.seconds, SizeIs(7));
  EXPECT_EQ(record.status, Status::not_converged);
}

TEST(Samples, TooFewForAnIntervalAreNotConverged) {
  Rig rig;
  Protocol protocol = short_protocol();
  protocol.max_seconds = 0.04;
  const Record record = rig.measure_twice(protocol);
  EXPECT_EQ(record.status, Status::not_converged);
  EXPECT_EQ(record.why, "only 4 samples fit into 40.0 ms; 6 are needed for an interval of the median");
}

TEST(Samples, ThatAgreeAtTheVeryEndAreOk) {
  Rig rig;
  Protocol protocol = short_protocol();
  protocol.max_seconds = 0.06;  // six samples, of ten that were wanted: their interval is narrow all the same
  const Record record = rig.measure_twice(protocol);
  EXPECT_THAT(record.samples.seconds, SizeIs(6));
  EXPECT_EQ(record.status, Status::ok);
}

TEST(Samples, AreAllKeptInOrderWithTheirTime) {
  const std::vector<double> given{0.013, 0.011, 0.017, 0.012, 0.019, 0.014, 0.018, 0.016, 0.015, 0.010};
  Rig rig;
  rig.script().seconds = seconds_by_launch(warm, 0.010, given);
  Protocol protocol = short_protocol();
  protocol.max_samples = 10;
  const Samples samples = rig.measure_twice(protocol).samples;
  EXPECT_THAT(samples.seconds, ElementsAreArray(given));
  ASSERT_THAT(samples.at, SizeIs(10));
  double at = 0;
  for (std::size_t i = 0; i < given.size(); at += given[i++]) EXPECT_NEAR(samples.at[i], at, 1e-9);
}

TEST(Samples, CarryTheMeanOfTheReadingsBeforeAndAfter) {
  Rig rig;
  rig.script().clock_hz = {1e9, 2e9, 3e9, 3e9};
  rig.script().probe = {100, 300, 200, 200};
  Benchmark benchmark = twice();
  benchmark.probed = true;
  const Samples samples = rig.measure(benchmark).samples;
  EXPECT_THAT(samples.clock_hz, ElementsAre(1.5e9, 2.5e9, 3e9, 3e9, 3e9, 3e9, 3e9, 3e9, 3e9, 3e9));
  EXPECT_THAT(samples.probe, ElementsAre(200, 250, 200, 200, 200, 200, 200, 200, 200, 200));
  EXPECT_THAT(rig.device().probed, AllOf(SizeIs(11), Each("memory_bandwidth")));
}

TEST(Samples, CarryNoReadingsWhereThereAreNone) {
  Rig rig;
  const Samples samples = rig.measure_twice().samples;
  EXPECT_THAT(samples.clock_hz, IsEmpty());
  EXPECT_THAT(samples.probe, IsEmpty());
  EXPECT_THAT(rig.device().probed, IsEmpty()) << "nobody asked for a probe";
}

TEST(Samples, ThatAreNoNumberFailTheCase) {
  for (const std::int64_t first_without : {set_up, warm, warm + 1}) {
    Rig rig;
    rig.script().seconds = seconds_by_launch(first_without, 0.010, {NAN});
    const Record record = rig.measure_twice();
    EXPECT_EQ(record.status, Status::failed);
    EXPECT_EQ(record.why, "the clock around the launches gave no number");
    EXPECT_EQ(rig.device().launches, first_without + 1);
  }
}

Benchmark with_tail() {
  Benchmark benchmark = twice();
  benchmark.name = "test/tail";
  benchmark.rate = {.name = "latency", .unit = "s", .amount = [](const Work&) { return 1.0; }, .better = Better::lower};
  benchmark.ceiling = [](const Case&, const DeviceInfo&) { return CeilingRule{.why_none = "none"}; };
  benchmark.tail = true;
  return benchmark;
}

Metric metric_named(const Record& record, std::string_view name) {
  for (const Metric& metric : record.metrics)
    if (metric.name == name) return metric;
  return {};
}

TEST(Tail, TakesThousandsOfSamplesOfOneLaunchEachWithNothingBetweenThem) {
  Rig rig;
  rig.script().clock_hz = {1e9};
  rig.script().seconds = [](std::int64_t launch) { return launch % 500 == 499 ? 0.004 : 0.001; };
  const Record record = rig.measure(with_tail(), Mode::batch);
  EXPECT_THAT(record.samples.seconds, SizeIs(2000));
  EXPECT_EQ(record.samples.batch, 1);
  EXPECT_THAT(record.samples.clock_hz, IsEmpty());
  ASSERT_THAT(record.metrics, SizeIs(3));
  EXPECT_DOUBLE_EQ(metric_named(record, "latency").value, 0.001);
  EXPECT_DOUBLE_EQ(metric_named(record, "latency_p99").value, 0.001);
  EXPECT_DOUBLE_EQ(metric_named(record, "latency_p999").value, 0.004) << "4 of 2000 are slow";
  EXPECT_EQ(record.stats->p999, 0.004);
}

TEST(Tail, TwinWithoutItReadingsStandBesideFewSamples) {
  Rig rig;
  rig.script().clock_hz = {1e9};
  Benchmark benchmark = with_tail();
  benchmark.tail = false;
  const Record record = rig.measure(benchmark, Mode::batch);
  EXPECT_THAT(record.samples.seconds, SizeIs(10));
  EXPECT_THAT(record.samples.clock_hz, SizeIs(10));
  EXPECT_THAT(record.metrics, SizeIs(1));
  EXPECT_FALSE(record.stats->p999);
}

TEST(Tail, EndsWithItsTimeAndTellsNoMoreThanItHas) {
  Rig rig;
  rig.script().seconds = [](std::int64_t) { return 0.001; };
  Protocol protocol = short_protocol();
  protocol.max_seconds = 0.5;
  const Record record = rig.measure(with_tail(), Mode::batch, protocol);
  EXPECT_NEAR(static_cast<double>(record.samples.seconds.size()), 500, 1);
  EXPECT_EQ(metric_named(record, "latency_p99").value, record.stats->p99);
  EXPECT_EQ(metric_named(record, "latency_p999").name, "") << "of 500, none is the slowest of a thousand";
}

}  // namespace
}  // namespace warpmark
