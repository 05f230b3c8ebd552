// SPDX-License-Identifier: Apache-2.0
#include "harness/core/bf16.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpmark {
namespace {

TEST(Bf16, KeepsEightBitsOfTheNumber) {
  for (const float exact : {0.0F, 1.0F, -1.0F, 0.5F, 1.0078125F, 256.0F})
    EXPECT_EQ(static_cast<float>(Bf16(exact)), exact);
  EXPECT_EQ(Bf16(1.0F).bits, 0x3f80);
  EXPECT_EQ(Bf16(-2.0F).bits, 0xc000);
}

TEST(Bf16, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(static_cast<float>(Bf16(1.005F)), 1.0078125F);
  EXPECT_EQ(static_cast<float>(Bf16(1.003F)), 1.0F);
  EXPECT_EQ(static_cast<float>(Bf16(1.00390625F)), 1.0F);       // half way between 0x3f80 and 0x3f81
  EXPECT_EQ(static_cast<float>(Bf16(1.01171875F)), 1.015625F);  // half way between 0x3f81 and 0x3f82
}

TEST(Bf16, KeepsNanAndInfinity) {
  EXPECT_TRUE(std::isnan(static_cast<float>(Bf16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(static_cast<float>(Bf16(__builtin_bit_cast(float, 0x7f800001U)))));
  EXPECT_TRUE(std::isinf(static_cast<float>(Bf16(std::numeric_limits<float>::infinity()))));
}

}  // namespace
}  // namespace warpmark
