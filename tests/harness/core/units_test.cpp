// SPDX-License-Identifier: Apache-2.0
#include "harness/core/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpmark {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(FormatRate, IsDecimalWithThreeSignificantDigits) {
  EXPECT_EQ(format_rate(23.4e9, "B/s"), "23.4 GB/s");
  EXPECT_EQ(format_rate(1.02e12, "FLOP/s"), "1.02 TFLOP/s");
  EXPECT_EQ(format_rate(2.7e9, "Hz"), "2.70 GHz");
  EXPECT_EQ(format_rate(3.35e12, "B/s"), "3.35 TB/s");
  EXPECT_EQ(format_rate(1979e12, "FLOP/s"), "1.98 PFLOP/s");
  EXPECT_EQ(format_rate(512, "B/s"), "512 B/s");
  EXPECT_EQ(format_rate(-4.5e6, "B/s"), "-4.50 MB/s");
}

TEST(FormatRate, DoesNotMistakeGibibytesForGigabytes) { EXPECT_EQ(format_rate(1073741824.0, "B/s"), "1.07 GB/s"); }

TEST(FormatRate, MovesToTheNextPrefixWhenRoundingReachesIt) {
  EXPECT_EQ(format_rate(999.4e6, "B/s"), "999 MB/s");
  EXPECT_EQ(format_rate(999.6e6, "B/s"), "1.00 GB/s");
  EXPECT_EQ(format_rate(9.996e9, "B/s"), "10.0 GB/s");
  EXPECT_EQ(format_rate(99.96e9, "B/s"), "100 GB/s");
}

TEST(FormatRate, KeepsNumbersBeyondTheLastPrefixWhole) {
  EXPECT_EQ(format_rate(12345e18, "FLOP/s"), "12345 EFLOP/s");
  EXPECT_EQ(format_rate(0.25, "B/s"), "0.25 B/s");
  EXPECT_EQ(format_rate(0, "B/s"), "0 B/s");
}

TEST(FormatRate, WritesWhatNobodyReadsByItsExponent) {
  EXPECT_EQ(format_rate(1e308, "FLOP/s"), "1e+290 EFLOP/s");
  EXPECT_LT(format_percent(1e300).size(), 12U);
  EXPECT_EQ(format_value(999'999'999'999'999.0, ""), "999999999999999");
}

TEST(FormatBytes, IsBinaryWithoutTrailingZeros) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(16384), "16 KiB");
  EXPECT_EQ(format_bytes(1572864), "1.5 MiB");
  EXPECT_EQ(format_bytes(1610612736), "1.5 GiB");
  EXPECT_EQ(format_bytes(25169809408.0), "23.4 GiB");
  EXPECT_EQ(format_bytes(1023.0 * 1024), "1023 KiB");
  EXPECT_EQ(format_bytes(1024.0 * 1024 - 1), "1 MiB");
  EXPECT_EQ(format_bytes(100.0 * 1024), "100 KiB");
}

TEST(FormatSeconds, PicksTheUnit) {
  EXPECT_EQ(format_seconds(1.23e-3), "1.23 ms");
  EXPECT_EQ(format_seconds(117e-9), "117 ns");
  EXPECT_EQ(format_seconds(4.567e-6), "4.57 µs");
  EXPECT_EQ(format_seconds(52), "52.0 s");
  EXPECT_EQ(format_seconds(1234), "1234 s");
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(0.25e-9), "0.25 ns");
}

TEST(FormatPercent, TakesAShare) {
  EXPECT_EQ(format_percent(0.684), "68.4 %");
  EXPECT_EQ(format_percent(1.0), "100 %");
  EXPECT_EQ(format_percent(1.234), "123 %");
  EXPECT_EQ(format_percent(0.00123), "0.123 %");
  EXPECT_EQ(format_percent(0), "0 %");
  EXPECT_EQ(format_percent(-0.05), "-5.00 %");
}

TEST(FormatValue, GoesByTheUnit) {
  EXPECT_EQ(format_value(0.002, "s"), "2.00 ms");
  EXPECT_EQ(format_value(2048, "B"), "2 KiB");
  EXPECT_EQ(format_value(2e9, "B/s"), "2.00 GB/s");
  EXPECT_EQ(format_value(1.5, ""), "1.5");
}

TEST(Units, UnknownIsNeverZero) {
  for (const double number : {unknown_value, infinite, -infinite}) {
    EXPECT_EQ(format_rate(number, "B/s"), "unknown");
    EXPECT_EQ(format_bytes(number), "unknown");
    EXPECT_EQ(format_seconds(number), "unknown");
    EXPECT_EQ(format_percent(number), "unknown");
    for (const char* unit : {"s", "B", "B/s", ""}) EXPECT_EQ(format_value(number, unit), "unknown");
  }
}

TEST(ScaleOf, FitsTheLargestOfSeveral) {
  EXPECT_EQ(scale_of(280e9, "B/s").unit, "GB/s");
  EXPECT_EQ(scale_of(280e9, "B/s").factor, 1e9);
  EXPECT_EQ(scale_of(1, "B/s").unit, "B/s");
  EXPECT_EQ(scale_of(unknown_value, "B/s").factor, 1);
}

}  // namespace
}  // namespace warpmark
