// SPDX-License-Identifier: Apache-2.0
// Series from two levels give their levels, shares and switches; series from one wide mode, of any shape, do not.
#include "harness/stats/modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness/stats/order.h"

namespace warpmark {
namespace {

using Random = std::mt19937_64;
using Draw = std::function<double(Random&)>;

std::vector<double> series(std::size_t n, std::uint64_t seed, const Draw& draw) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(draw(random));
  return values;
}

Draw normal(double mean, double deviation) {
  return [mean, deviation](Random& random) { return std::normal_distribution<double>(mean, deviation)(random); };
}
Draw uniform(double low, double high) {
  return [low, high](Random& random) { return std::uniform_real_distribution<double>(low, high)(random); };
}
Draw exponential(double floor, double mean) {
  return [floor, mean](Random& random) { return floor + std::exponential_distribution<double>(1 / mean)(random); };
}
Draw lognormal(double floor, double scale, double shape) {
  return [=](Random& random) { return floor + scale * std::lognormal_distribution<double>(0, shape)(random); };
}

/// Level 1 and level `high`, each with normal noise of `noise` of the lower level; the higher one with that
/// probability.
Draw two_levels(double high, double noise, double probability) {
  return [=](Random& random) {
    const bool up = std::uniform_real_distribution<double>(0, 1)(random) < probability;
    return std::normal_distribution<double>(up ? high : 1, noise)(random);
  };
}

TEST(TwoModes, GivesLevelsSharesAndSwitchesOfATightSeries) {
  const auto modes = two_modes(std::vector{1.0, 1.01, 2.0, 2.02, 2.01, 0.99, 1.0, 2.0, 1.0, 1.0});
  ASSERT_TRUE(modes);
  EXPECT_DOUBLE_EQ(modes->levels[0], 1.0);
  EXPECT_DOUBLE_EQ(modes->levels[1], 2.005);
  EXPECT_DOUBLE_EQ(modes->shares[0], 0.6);
  EXPECT_DOUBLE_EQ(modes->shares[1], 0.4);
  EXPECT_EQ(modes->switches, 4) << "up, down, up, down";
  EXPECT_GT(modes->boundary, 1.01);
  EXPECT_LT(modes->boundary, 2.0);
}

TEST(TwoModes, LevelsWithoutAnyNoiseAreLevels) {
  const auto modes = two_modes(std::vector<double>{3, 3, 3, 5, 5, 5, 5, 5});
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->levels[0], 3);
  EXPECT_EQ(modes->levels[1], 5);
  EXPECT_EQ(modes->switches, 1);
}

TEST(TwoModes, CountsSwitchesByTheOrderAlone) {
  std::vector<double> blocks, alternating;
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    blocks.push_back(normal(i / 20 % 2 == 0 ? 1 : 1.5, 0.01)(random));
    alternating.push_back(normal(i % 2 == 0 ? 1 : 1.5, 0.01)(random));
  }
  ASSERT_TRUE(two_modes(blocks) && two_modes(alternating));
  EXPECT_EQ(two_modes(blocks)->switches, 2);
  EXPECT_EQ(two_modes(alternating)->switches, 59);
  EXPECT_DOUBLE_EQ(two_modes(alternating)->shares[0], 0.5);
}

TEST(TwoModes, FindsAnUnevenShare) {
  const auto modes = two_modes(series(500, 2, two_levels(2.4, 0.05, 0.2)));
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->levels[0], 1, 0.02);
  EXPECT_NEAR(modes->levels[1], 2.4, 0.02);
  EXPECT_NEAR(modes->shares[1], 0.2, 0.05);
}

TEST(TwoModes, AreTheSameLevelsInEveryUnit) {
  const std::vector<double> seconds = series(100, 3, two_levels(1.5, 0.03, 0.4));
  std::vector<double> nanoseconds = seconds;
  for (double& value : nanoseconds) value *= 1e-9;
  ASSERT_TRUE(two_modes(seconds) && two_modes(nanoseconds));
  EXPECT_NEAR(two_modes(nanoseconds)->levels[1], 1e-9 * two_modes(seconds)->levels[1], 1e-20);
  EXPECT_EQ(two_modes(nanoseconds)->switches, two_modes(seconds)->switches);
}

TEST(TwoModes, AFewSlowSamplesDoNotHideTheLevels) {
  std::vector<double> samples = series(100, 4, two_levels(1.5, 0.02, 0.5));
  samples[17] = samples[71] = 2.2;
  EXPECT_TRUE(two_modes(samples));
}

TEST(TwoModes, NeedLevelsTenPercentApart) {
  EXPECT_TRUE(two_modes(series(100, 5, two_levels(1.11, 0.002, 0.5))));
  EXPECT_FALSE(two_modes(series(100, 5, two_levels(1.09, 0.002, 0.5))));
}

TEST(TwoModes, NeedEightSamples) {
  EXPECT_TRUE(two_modes(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_FALSE(two_modes(std::vector<double>{1, 1, 1, 2, 2, 2, 2}));
  EXPECT_FALSE(two_modes(std::vector<double>{}));
}

TEST(TwoModes, NeedThreeSamplesAndFivePercentOnALevel) {
  std::vector<double> samples(20, 1.0);
  samples[3] = samples[9] = 2.0;
  EXPECT_FALSE(two_modes(samples)) << "two";
  samples[12] = 2.0;
  EXPECT_TRUE(two_modes(samples)) << "three of twenty";
  samples.resize(100, 1.0);
  EXPECT_FALSE(two_modes(samples)) << "three of a hundred are outliers";
}

TEST(TwoModes, AreNotASingleModeOfAnyShape) {
  EXPECT_FALSE(two_modes(std::vector<double>(50, 1.0))) << "constant";
  EXPECT_FALSE(two_modes(series(300, 6, normal(1, 0.1))));
  EXPECT_FALSE(two_modes(series(300, 7, uniform(0.5, 1.5))));
  EXPECT_FALSE(two_modes(series(300, 8, exponential(0, 1))));
  EXPECT_FALSE(two_modes(series(300, 9, lognormal(1, 0.1, 1.5)))) << "a floor and a heavy tail";
  std::vector<double> outliers = series(100, 10, normal(1, 0.01));
  for (const std::size_t i : {7U, 30U, 55U, 90U}) outliers[i] = 1.8;
  EXPECT_FALSE(two_modes(outliers));
}

TEST(TwoModes, AreNotADrift) {
  std::vector<double> samples;
  for (int i = 0; i < 200; ++i) samples.push_back(1 + 0.002 * i);
  EXPECT_FALSE(two_modes(samples));
}

TEST(TwoModes, WantsPositiveNumbers) {
  const std::vector<double> fine{1, 1, 1, 1, 2, 2, 2, 2};
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::denorm_min()}) {
    std::vector<double> samples = fine;
    samples[0] = bad;
    EXPECT_FALSE(two_modes(samples)) << bad;
  }
}

double share_found(std::size_t n, const Draw& draw) {
  constexpr int tries = 2000;
  int found = 0;
  for (int i = 0; i < tries; ++i)
    if (two_modes(series(n, 1000 + static_cast<std::uint64_t>(i), draw))) ++found;
  return static_cast<double>(found) / tries;
}

struct Shape {
  std::string name{};
  Draw draw{};
};

class OneMode : public testing::TestWithParam<Shape> {};

TEST_P(OneMode, IsTakenForTwoInLessThanOnePercentOfTheSeries) {
  for (const std::size_t n : {10U, 30U, 100U, 1000U}) EXPECT_LT(share_found(n, GetParam().draw), 0.01) << n;
}

INSTANTIATE_TEST_SUITE_P(Shapes, OneMode,
                         testing::Values(Shape{.name = "normal", .draw = normal(1, 0.1)},
                                         Shape{.name = "wide_normal", .draw = normal(1, 0.2)},
                                         Shape{.name = "uniform", .draw = uniform(0.8, 1.2)},
                                         Shape{.name = "wide_uniform", .draw = uniform(0.01, 1)},
                                         Shape{.name = "exponential", .draw = exponential(0, 1)},
                                         Shape{.name = "exponential_over_a_floor", .draw = exponential(1, 0.3)},
                                         Shape{.name = "lognormal", .draw = lognormal(0, 1, 0.5)},
                                         Shape{.name = "heavy_lognormal", .draw = lognormal(0, 1, 1.5)},
                                         Shape{.name = "heavy_lognormal_over_a_floor", .draw = lognormal(1, 0.1, 1)}),
                         [](const auto& shape) { return shape.param.name; });

TEST(TwoModes, OfThirtySamplesAreFoundWhenTwentyPercentApartWithThreePercentNoise) {
  EXPECT_GT(share_found(30, two_levels(1.2, 0.03, 0.5)), 0.95);
}

TEST(TwoModes, AreFoundMoreOftenWithMoreSamplesAndMissedWhereTheyBlur) {
  EXPECT_GT(share_found(100, two_levels(1.2, 0.03, 0.2)), 0.95);
  EXPECT_GT(share_found(10, two_levels(1.5, 0.01, 0.5)), 0.80) << "the rest have under three on one side";
  EXPECT_LT(share_found(30, two_levels(1.2, 0.10, 0.5)), 0.05) << "the noise is as wide as half the distance";
}

}  // namespace
}  // namespace warpmark
