// SPDX-License-Identifier: Apache-2.0
// Rates and shares of ceilings against values worked out by hand.
#include "harness/measure/rates.h"

#include <gtest/gtest.h>

#include <limits>

#include "harness/measure/sampling.h"

namespace warpmark {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Benchmark with_rate(const Rate& rate) {
  return {.name = "test", .rate = rate, .ceiling = [](const Case&, const DeviceInfo&) {
            return CeilingRule{.name = "peak"};
          }};
}

DeviceInfo with_peak(std::optional<double> value, CeilingKind kind) {
  DeviceInfo device;
  device.ceilings["peak"] = {.value = value, .unit = "B/s", .kind = kind, .derivation = "8 channels x 8 B x 3.2 GHz"};
  return device;
}

/// 24e9 B and 2e9 FLOP in a median of 0.2 s.
Record measured_record() {
  Record record;
  record.work = {.bytes_read = 16e9, .bytes_written = 8e9, .flops = 2e9};
  record.stats = summary_of({0.1, 0.2, 0.9});
  return record;
}

TEST(Bandwidth, IsAllBytesOverTheMedian) {
  const Metric metric = headline(with_rate(bandwidth), {}, with_peak(240e9, CeilingKind::derived), measured_record());
  EXPECT_EQ(metric.name, "bandwidth");
  EXPECT_EQ(metric.unit, "B/s");
  EXPECT_EQ(metric.better, Better::higher);
  EXPECT_DOUBLE_EQ(metric.value, 120e9);
  EXPECT_DOUBLE_EQ(*metric.ceiling, 240e9);
  EXPECT_DOUBLE_EQ(*metric.of_ceiling, 0.5);
  EXPECT_EQ(metric.ceiling_source, "derived: 8 channels x 8 B x 3.2 GHz");
  EXPECT_FALSE(metric.of_ceiling_at_clock) << "no probe ran";
}

TEST(FlopRate, IsFlopOverTheMedian) {
  const Metric metric = headline(with_rate(flop_rate), {}, with_peak(40e9, CeilingKind::measured), measured_record());
  EXPECT_EQ(metric.name, "flop_rate");
  EXPECT_EQ(metric.unit, "FLOP/s");
  EXPECT_DOUBLE_EQ(metric.value, 10e9);
  EXPECT_DOUBLE_EQ(*metric.of_ceiling, 0.25);
  EXPECT_EQ(metric.ceiling_source.substr(0, 10), "measured: ");
}

TEST(FlopRate, IsOperationsOfIntegers) {
  const auto unit_of_type = [](const Rate& rate, DType dtype) {
    const Case at{.kernel = {.backend = "cpu", .variant = "plain", .dtype = dtype}};
    return headline(with_rate(rate), at, with_peak(40e9, CeilingKind::measured), measured_record()).unit;
  };
  EXPECT_EQ(unit_of_type(flop_rate, DType::i8), "OP/s");
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3})
    EXPECT_EQ(unit_of_type(flop_rate, dtype), "FLOP/s") << name_of(dtype);
  EXPECT_EQ(unit_of_type(bandwidth, DType::i8), "B/s");
}

TEST(ShareAtClock, IsOfTheMedianOfWhatTheProbeReached) {
  Record record = measured_record();
  record.samples.probe = {10e9, 40e9, 20e9};
  const Metric metric = headline(with_rate(flop_rate), {}, with_peak(40e9, CeilingKind::measured), record);
  EXPECT_DOUBLE_EQ(*metric.of_ceiling, 0.25);
  EXPECT_DOUBLE_EQ(*metric.of_ceiling_at_clock, 0.5);
}

TEST(Ceiling, ThatIsUnknownGivesItsReason) {
  const Metric metric =
      headline(with_rate(bandwidth), {}, with_peak(std::nullopt, CeilingKind::unknown), measured_record());
  EXPECT_FALSE(metric.ceiling);
  EXPECT_FALSE(metric.of_ceiling);
  EXPECT_EQ(metric.ceiling_source, "unknown: 8 channels x 8 B x 3.2 GHz");
}

TEST(Ceiling, ThatTheDeviceDoesNotStateIsNone) {
  const Metric metric = headline(with_rate(bandwidth), {}, DeviceInfo{}, measured_record());
  EXPECT_FALSE(metric.ceiling);
  EXPECT_EQ(metric.ceiling_source, "the device does not state peak");
}

TEST(Ceiling, ThatDoesNotApplySaysWhy) {
  Benchmark benchmark = with_rate(bandwidth);
  benchmark.ceiling = [](const Case&, const DeviceInfo&) { return CeilingRule{.why_none = "it lies in a cache"}; };
  const Metric metric = headline(benchmark, {}, with_peak(240e9, CeilingKind::derived), measured_record());
  EXPECT_FALSE(metric.ceiling);
  EXPECT_FALSE(metric.of_ceiling);
  EXPECT_EQ(metric.ceiling_source, "it lies in a cache");
}

Metric of(double value, std::optional<double> share) {
  return {.name = "bandwidth", .unit = "B/s", .value = value, .of_ceiling = share};
}

TEST(Impossible, IsMoreThanADerivedCeilingAndItsTolerance) {
  const DeviceInfo derived = with_peak(100, CeilingKind::derived);
  EXPECT_EQ(impossible(of(99, 0.99), derived, "peak"), "");
  EXPECT_EQ(impossible(of(102, 1.02), derived, "peak"), "");
  EXPECT_NE(impossible(of(103, 1.03), derived, "peak"), "");
  Metric faster_clock = of(103, 1.03);
  faster_clock.of_ceiling_at_clock = 0.95;
  EXPECT_EQ(impossible(faster_clock, derived, "peak"), "") << "the card ran above the clock that it states";
  faster_clock.of_ceiling_at_clock = 1.03;
  EXPECT_NE(impossible(faster_clock, derived, "peak"), "");
  EXPECT_EQ(impossible(of(103, 1.03), with_peak(100, CeilingKind::measured), "peak"), "");
  EXPECT_EQ(impossible(of(103, std::nullopt), with_peak(std::nullopt, CeilingKind::unknown), "peak"), "");
  EXPECT_EQ(impossible(of(103, 1.03), derived, ""), "") << "another ceiling, or none, bounds the case";
}

TEST(Impossible, IsWhatIsNoPositiveNumber) {
  const DeviceInfo device = with_peak(100, CeilingKind::measured);
  for (const double value : {0.0, -1.0, infinite, nan})
    EXPECT_NE(impossible(of(value, {}), device, "peak"), "") << value;
  EXPECT_EQ(impossible(of(1e-300, {}), device, "peak"), "");
}

TEST(SummaryOf, HasEveryStatisticOfTheSamples) {
  // Sorted: 1 2 3 4 5 6 7 8 9; the interval of the median of nine is x2..x8.
  const Summary s = summary_of({5, 1, 9, 2, 8, 3, 7, 4, 6});
  EXPECT_EQ(s.n, 9);
  EXPECT_DOUBLE_EQ(s.median, 5);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.max, 9);
  EXPECT_DOUBLE_EQ(s.p5, 1.4);             // h = 8 x 0.05 = 0.4
  EXPECT_DOUBLE_EQ(s.p25, 3);              // h = 2
  EXPECT_DOUBLE_EQ(s.p75, 7);              // h = 6
  EXPECT_DOUBLE_EQ(s.p95, 8.6);            // h = 7.6
  EXPECT_DOUBLE_EQ(s.p99, 8.92);           // h = 7.92
  EXPECT_DOUBLE_EQ(s.mad, 2);              // distances 4 3 2 1 0 1 2 3 4
  EXPECT_DOUBLE_EQ(s.drift, 6.0 / 5 - 1);  // of 7 4 6 over 5 1 9
  EXPECT_DOUBLE_EQ(*s.ci_low, 2);
  EXPECT_DOUBLE_EQ(*s.ci_high, 8);
  // Deviations 0 -4 4 -3 3 -2 2 -1 1: products 0 -16 -12 -9 -6 -4 -2 -1 = -50, squares 60.
  EXPECT_DOUBLE_EQ(*s.lag1, -50.0 / 60);
}

TEST(SummaryOf, HasNoIntervalBelowSixSamples) {
  EXPECT_FALSE(summary_of({1, 2, 3, 4, 5}).ci_low);
  EXPECT_TRUE(summary_of({1, 2, 3, 4, 5, 6}).ci_low);
}

TEST(Steady, LooksAtTheLastThreeWindows) {
  EXPECT_TRUE(steady({9, 100, 100.5, 101}));
  EXPECT_FALSE(steady({100, 100.5, 101.1}));
  EXPECT_FALSE(steady({100, 100}));
  EXPECT_FALSE(steady({}));
}

TEST(Narrow, ComparesBothSidesOfTheInterval) {
  EXPECT_TRUE(narrow({100, 100, 100, 100, 101, 101}, 0.01));   // 100..101 around 100
  EXPECT_FALSE(narrow({100, 100, 100, 100, 101, 102}, 0.01));  // 2 above
  EXPECT_FALSE(narrow({98, 100, 100, 100, 100, 100}, 0.01));   // 2 below
  EXPECT_FALSE(narrow({100, 100, 100, 100, 100}, 0.01));       // five have no interval
}

}  // namespace
}  // namespace warpmark
