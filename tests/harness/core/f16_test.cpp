// SPDX-License-Identifier: Apache-2.0
#include "harness/core/f16.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpmark {
namespace {

F16 of_bits(unsigned bits) {
  F16 value;
  value.bits = static_cast<std::uint16_t>(bits);
  return value;
}

double rounded(double value) { return static_cast<double>(F16(value)); }

TEST(F16, HasTheBitsOfItsFormat) {
  EXPECT_EQ(F16(1.0).bits, 0x3c00);
  EXPECT_EQ(F16(-2.0).bits, 0xc000);
  EXPECT_EQ(F16(65504.0).bits, 0x7bff);
  EXPECT_EQ(F16(0x1p-14).bits, 0x0400);
  EXPECT_EQ(F16(0x1p-24).bits, 0x0001);
  EXPECT_EQ(F16(0.0).bits, 0);
  EXPECT_EQ(F16(-0.0).bits, 0x8000);
}

TEST(F16, KeepsEveryNumberOfItsOwn) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto value = static_cast<double>(of_bits(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(rounded(value))) << bits;
    } else {
      EXPECT_EQ(F16(value).bits, bits) << value;
    }
  }
}

// Half way between two neighbours to the even one, a hair beside it to the nearer.
TEST(F16, RoundsToTheNearestAndTiesToEven) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<double>(of_bits(bits));
    const auto high = static_cast<double>(of_bits(bits + 1));
    const double middle = (low + high) / 2;
    EXPECT_EQ(F16(middle).bits, bits + bits % 2) << bits;
    EXPECT_EQ(F16(std::nextafter(middle, low)).bits, bits);
    EXPECT_EQ(F16(std::nextafter(middle, high)).bits, bits + 1);
  }
}

TEST(F16, HasNoEndFromHalfAStepBeyondItsLargestOn) {
  EXPECT_EQ(rounded(65519.9), 65504);
  EXPECT_EQ(F16(65520.0).bits, 0x7c00);
  EXPECT_EQ(rounded(-1e300), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(F16(std::numeric_limits<double>::infinity()).bits, 0x7c00);
  EXPECT_EQ(rounded(1e-300), 0);
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace warpmark
