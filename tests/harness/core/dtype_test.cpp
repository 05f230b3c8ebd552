// SPDX-License-Identifier: Apache-2.0
#include "harness/core/dtype.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpmark {
namespace {

TEST(DType, HasNameSizeAndSpacing) {
  EXPECT_EQ(name_of(DType::f64), "f64");
  EXPECT_EQ(name_of(DType::f32), "f32");
  EXPECT_EQ(name_of(DType::f16), "f16");
  EXPECT_EQ(name_of(DType::bf16), "bf16");
  EXPECT_EQ(name_of(DType::e4m3), "e4m3");
  EXPECT_EQ(name_of(DType::i8), "i8");
  EXPECT_EQ(size_of(DType::f64), sizeof(double));
  EXPECT_EQ(size_of(DType::f32), sizeof(float));
  EXPECT_EQ(size_of(DType::f16), 2U);
  EXPECT_EQ(size_of(DType::bf16), 2U);
  EXPECT_EQ(size_of(DType::e4m3), 1U);
  EXPECT_EQ(size_of(DType::i8), 1U);
  EXPECT_EQ(epsilon_of(DType::f64), std::numeric_limits<double>::epsilon());
  EXPECT_EQ(epsilon_of(DType::f32), static_cast<double>(std::numeric_limits<float>::epsilon()));
  EXPECT_EQ(epsilon_of(DType::f16), 1.0 / 1024);  // 10 bits of fraction
  EXPECT_EQ(epsilon_of(DType::bf16), 1.0 / 128);  // 7
  EXPECT_EQ(epsilon_of(DType::e4m3), 1.0 / 8);    // 3
  EXPECT_EQ(epsilon_of(DType::i8), 0);
}

}  // namespace
}  // namespace warpmark
