// SPDX-License-Identifier: Apache-2.0
// Tells samples that come from two levels, such as a clock that switches, from samples with one wide spread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace warpmark {

struct TwoModes {
  std::array<double, 2> levels{};  // median of the samples of each, the lower one first
  std::array<double, 2> shares{};  // of the samples
  std::int64_t switches = 0;       // neighbours in the order of taking that lie on different levels
  double boundary = 0;             // samples below it are on the first level
};

/// The two levels of samples in the order they were taken, or empty where one level explains them.
///
/// The sorted samples are split where the squares of their logarithms' distances from the two means are least (exact
/// two-means), with at least 3 samples and 5 % of them on each side. That finds the best two groups of anything, so the
/// groups have to show that they are levels. Each of these has to hold for the times and for their reciprocals, the
/// rates, because the long tail of one mode looks like a second one in one of the two, seldom in both:
/// - Apart: the medians differ by 10 % or more.
/// - Separate: the means lie further apart, in units of the pooled deviation inside the groups, than the halves of a
///   uniform distribution do: sqrt(12) = 3.46 without end of samples, more for few. The uniform one is the widest that
///   has one mode; normal, exponential and lognormal ones stay below.
/// - Each one narrow: the same distance is 2.4 deviations of either group, where its deviation is taken at the upper
/// end
///   (95 %) of what that many samples can tell. A few samples of a tail do not make a level.
/// - A sparse middle: between the inmost tenths of the groups there is nothing over 40 % of the distance of their
///   medians. The halves of a uniform or normal distribution leave 20 %.
/// In simulation fewer than 1 % of series with one mode pass (tests/harness/stats/modes_test.cpp).
[[nodiscard]] std::optional<TwoModes> two_modes(std::span<const double> samples);

}  // namespace warpmark
