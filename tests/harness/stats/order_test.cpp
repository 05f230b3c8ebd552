// SPDX-License-Identifier: Apache-2.0
// Every expected value here was worked out by hand; the working stands beside it.
#include "harness/stats/order.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "harness/stats/series.h"

namespace warpmark {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 1.0);
  return v;
}

TEST(Median, IsTheMiddleOfAnOddNumber) { EXPECT_DOUBLE_EQ(median(sorted(std::vector{9.0, 1.0, 4.0})), 4.0); }

TEST(Median, IsTheMeanOfTheTwoMiddleOnesOfAnEvenNumber) {
  // The off-by-one of others averages elements n/2 and n/2+1 counted from 0, which would give (4+9)/2.
  EXPECT_DOUBLE_EQ(median(sorted(std::vector{9.0, 1.0, 4.0, 2.0})), 3.0);
}

TEST(Median, OfOneIsThatOne) { EXPECT_DOUBLE_EQ(median(std::vector{7.0}), 7.0); }

TEST(Quantile, InterpolatesBetweenTheClosestRanks) {
  const std::vector<double> v{10, 20, 30, 40};
  EXPECT_DOUBLE_EQ(quantile(v, 0.0), 10);
  EXPECT_DOUBLE_EQ(quantile(v, 1.0), 40);
  EXPECT_DOUBLE_EQ(quantile(v, 0.25), 17.5);  // h = 3 * 0.25 = 0.75
  EXPECT_DOUBLE_EQ(quantile(v, 0.95), 38.5);  // h = 2.85
}

TEST(MedianAbsoluteDeviation, IsTheMedianOfTheDistances) {
  // median 3, distances 2 1 0 1 97, sorted 0 1 1 2 97
  EXPECT_DOUBLE_EQ(median_absolute_deviation(std::vector<double>{1, 2, 3, 4, 100}), 1.0);
}

TEST(MedianInterval, NeedsSixSamplesAt95Percent) {
  // n = 5: P(B = 0) = 1/32, twice that is 0.0625 > 0.05. n = 6: 2/64 = 0.03125.
  EXPECT_FALSE(median_interval(one_to(5)));
  const auto six = median_interval(one_to(6));
  ASSERT_TRUE(six);
  EXPECT_DOUBLE_EQ(six->low, 1);
  EXPECT_DOUBLE_EQ(six->high, 6);
  EXPECT_FALSE(median_interval(std::vector<double>{}));
}

TEST(MedianInterval, MatchesTheTablesOfOrderStatistics) {
  // n = 10: P(B <= 1) = 11/1024, twice 0.0215; P(B <= 2) = 56/1024, twice 0.109. So k = 2: x2..x9.
  const auto ten = median_interval(one_to(10));
  ASSERT_TRUE(ten);
  EXPECT_DOUBLE_EQ(ten->low, 2);
  EXPECT_DOUBLE_EQ(ten->high, 9);
  // n = 20: P(B <= 5) = 21700/1048576, twice 0.0414; P(B <= 6) twice 0.115. So k = 6: x6..x15.
  const auto twenty = median_interval(one_to(20));
  ASSERT_TRUE(twenty);
  EXPECT_DOUBLE_EQ(twenty->low, 6);
  EXPECT_DOUBLE_EQ(twenty->high, 15);
}

TEST(MedianInterval, WidensWithTheConfidence) {
  // n = 10 at 99 %: twice 11/1024 = 0.0215 > 0.01, so only k = 1.
  const auto wide = median_interval(one_to(10), 0.99);
  ASSERT_TRUE(wide);
  EXPECT_DOUBLE_EQ(wide->low, 1);
  EXPECT_DOUBLE_EQ(wide->high, 10);
}

TEST(Drift, ComparesTheLastThirdWithTheFirst) {
  EXPECT_DOUBLE_EQ(drift(std::vector<double>{1, 1, 1, 5, 5, 5, 2, 2, 2}), 1.0);
  EXPECT_DOUBLE_EQ(drift(std::vector<double>{4, 4, 4, 4, 4, 4}), 0.0);
  EXPECT_DOUBLE_EQ(drift(std::vector<double>{1, 9}), 0.0);
}

TEST(Lag1, IsMinusForAlternatingAndPlusForTrends) {
  // mean 0; products -1 * 3, squares 4
  EXPECT_DOUBLE_EQ(*lag1_autocorrelation(std::vector<double>{1, -1, 1, -1}), -0.75);
  // mean 2.5; deviations -1.5 -.5 .5 1.5; products .75 - .25 + .75 = 1.25; squares 5
  EXPECT_DOUBLE_EQ(*lag1_autocorrelation(one_to(4)), 0.25);
  EXPECT_FALSE(lag1_autocorrelation(std::vector<double>{2, 2, 2}));
}

}  // namespace
}  // namespace warpmark
