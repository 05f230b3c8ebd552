// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/line_fit.h"

#include <algorithm>
#include <cmath>

namespace warpmark {

std::optional<LineFit> relative_line_fit(std::span<const LinePoint> points) {
  if (points.size() < 3) return std::nullopt;
  // With u = 1 / y and v = x / y it is u offset + v slope = 1, in the least squares.
  double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
  for (const LinePoint& point : points) {
    if (!(point.y > 0) || !std::isfinite(point.x)) return std::nullopt;
    const double u = 1 / point.y, v = point.x / point.y;
    uu += u * u, uv += u * v, vv += v * v, u1 += u, v1 += v;
  }
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-12 * uu * vv)) return std::nullopt;
  LineFit fit{.offset = (u1 * vv - v1 * uv) / determinant, .slope = (v1 * uu - u1 * uv) / determinant};
  for (const LinePoint& point : points)
    fit.worst = std::max(fit.worst, std::abs((fit.offset + fit.slope * point.x) / point.y - 1));
  return fit;
}

}  // namespace warpmark
