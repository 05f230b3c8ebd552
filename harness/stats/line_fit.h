// SPDX-License-Identifier: Apache-2.0
// The straight line through points whose relative distance counts: a time that is so much and so much per unit on top.
#pragma once

#include <optional>
#include <span>

namespace warpmark {

struct LinePoint {
  double x = 0;
  double y = 0;
};

/// y = offset + slope x.
struct LineFit {
  double offset = 0;
  double slope = 0;
  double worst = 0;  // the largest |fitted / y - 1| of the points
};

/// Least squares of fitted / y - 1, so that the small points are fitted as well as the large ones. Empty below three
/// points, where all lie at one x, and where a y is not positive.
[[nodiscard]] std::optional<LineFit> relative_line_fit(std::span<const LinePoint> points);

}  // namespace warpmark
