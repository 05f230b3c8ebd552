// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/line_fit.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "harness/stats/overlap.h"

namespace warpmark {
namespace {

std::vector<LinePoint> on_line(double offset, double slope, const std::vector<double>& at) {
  std::vector<LinePoint> points;
  for (const double x : at) points.push_back({.x = x, .y = offset + slope * x});
  return points;
}

TEST(RelativeLineFit, FindsTheLineThatPointsLieOnOverNineDecades) {
  const auto fit = relative_line_fit(on_line(9e-6, 1 / 55e9, {4, 4096, 1 << 20, 1 << 30}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->offset / 9e-6, 1, 1e-9);
  EXPECT_NEAR(fit->slope * 55e9, 1, 1e-9);
  EXPECT_LT(fit->worst, 1e-9);
}

TEST(RelativeLineFit, WeighsSmallPointsAsMuchAsLargeOnes) {
  std::vector<LinePoint> points = on_line(1e-5, 1e-9, {1, 2, 4, 1e9});
  points.back().y *= 1.01;  // a hundredth of the largest is a thousand times the smallest
  const auto fit = relative_line_fit(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->offset / 1e-5, 1, 0.001);
}

TEST(RelativeLineFit, SaysHowFarTheWorstPointIsOff) {
  std::vector<LinePoint> points = on_line(1, 1, {1, 2, 3, 4, 5});
  points[2].y *= 2;
  const auto fit = relative_line_fit(points);
  ASSERT_TRUE(fit);
  EXPECT_GT(fit->worst, 0.3);
}

TEST(RelativeLineFit, IsNoneOfPointsThatDoNotMakeALine) {
  EXPECT_FALSE(relative_line_fit(on_line(1, 1, {1, 2})));
  EXPECT_FALSE(relative_line_fit(on_line(1, 1, {2, 2, 2})));
  EXPECT_FALSE(relative_line_fit(std::vector<LinePoint>{{1, 1}, {2, 0}, {3, 3}}));
  EXPECT_FALSE(relative_line_fit(std::vector<LinePoint>{{1, 1}, {std::numeric_limits<double>::infinity(), 2}, {3, 3}}));
}

TEST(OverlapShare, IsWhatTheShorterOneCostsBesideTheLonger) {
  EXPECT_DOUBLE_EQ(overlap_share(2, 4, 4), 1);
  EXPECT_DOUBLE_EQ(overlap_share(2, 4, 6), 0);
  EXPECT_DOUBLE_EQ(overlap_share(2, 4, 5), 0.5);
  EXPECT_DOUBLE_EQ(overlap_share(4, 2, 5), 0.5);
}

TEST(OverlapShare, StaysAShareWhereClocksDisagree) {
  EXPECT_DOUBLE_EQ(overlap_share(2, 4, 3), 1);
  EXPECT_DOUBLE_EQ(overlap_share(2, 4, 7), 0);
  EXPECT_DOUBLE_EQ(overlap_share(0, 4, 4), 0);
}

}  // namespace
}  // namespace warpmark
