// SPDX-License-Identifier: Apache-2.0
#include "harness/core/uniform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace warpmark {
namespace {

constexpr std::size_t count = 100'000;

std::vector<double> values_of(std::uint64_t seed) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(uniform(seed, i));
  return values;
}

TEST(Uniform, IsTheSameForEverAndEverywhere) {
  // Documents name the seed: the values behind it may not change. These are from the formula in Python's integers.
  EXPECT_EQ(uniform(0, 0), 0x1.8882a0e5ec772p-1);
  EXPECT_EQ(uniform(1, 0), 0x1.d2a4059311d26p-1);
  EXPECT_EQ(uniform(1, 1), 0x1.fd4d746a25a2cp-2);
  EXPECT_EQ(uniform(7, 123456789), -0x1.022fb2e39ceb0p-2);
  static_assert(uniform(3, 5) == uniform(3, 5));
}

TEST(Uniform, LiesInItsRangeAndReachesBothEnds) {
  for (const std::uint64_t seed : {1U, 2U, 1001U}) {
    const std::vector<double> values = values_of(seed);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*least, -1);
    EXPECT_LT(*most, 1);
    EXPECT_LT(*least, -0.999);  // none of 100000 beyond it: once in e^50 seeds
    EXPECT_GT(*most, 0.999);
  }
}

TEST(Uniform, HasTheMeanAndTheSpreadOfItsDistribution) {
  for (const std::uint64_t seed : {1U, 2U, 1001U}) {
    double sum = 0;
    double squares = 0;
    for (const double value : values_of(seed)) {
      sum += value;
      squares += value * value;
    }
    // Deviations of the means: 0.577 / sqrt(n) = 0.0018 and 0.298 / sqrt(n) = 0.00094; five of each are allowed.
    EXPECT_NEAR(sum / count, 0, 0.009);
    EXPECT_NEAR(squares / count, 1.0 / 3, 0.005);
  }
}

TEST(Uniform, DependsOnSeedAndIndex) {
  const std::vector<double> one = values_of(1);
  EXPECT_EQ(std::set<double>(one.begin(), one.end()).size(), count);
  const std::vector<double> two = values_of(2);
  double product = 0;
  for (std::size_t i = 0; i < count; ++i) product += one[i] * two[i];
  EXPECT_NEAR(product / count, 0, 0.006);  // 1/3 were they the same; the deviation of the mean is 0.00105
}

TEST(Uniform, UsesAllBitsOfItsElements) {
  // Fewer bits would compress: at least one of a hundred values has each of the low bits of the 53.
  for (int bit = 0; bit < 10; ++bit) {
    int set = 0;
    for (std::size_t i = 0; i < 100; ++i)
      set += static_cast<int>(std::fmod(std::floor((uniform(1, i) + 1) * 0x1p52 / std::exp2(bit)), 2));
    EXPECT_GT(set, 20) << bit;
    EXPECT_LT(set, 80) << bit;
  }
}

}  // namespace
}  // namespace warpmark
