// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/order.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace warpmark {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> ascending(samples.begin(), samples.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

double quantile(std::span<const double> ascending, double q) {
  const double h = static_cast<double>(ascending.size() - 1) * q;
  const auto below = static_cast<std::size_t>(std::floor(h));
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (h - std::floor(h)) * (ascending[above] - ascending[below]);
}

double median(std::span<const double> ascending) { return quantile(ascending, 0.5); }

double median_absolute_deviation(std::span<const double> ascending) {
  const double middle = median(ascending);
  std::vector<double> distances;
  distances.reserve(ascending.size());
  for (const double x : ascending) distances.push_back(std::abs(x - middle));
  return median(sorted(distances));
}

std::optional<Interval> median_interval(std::span<const double> ascending, double confidence) {
  const std::size_t n = ascending.size();
  if (n == 0) return std::nullopt;
  const boost::math::binomial_distribution<double> half(static_cast<double>(n), 0.5);
  // P(B < k) for the lower tail; the upper one is the same by symmetry. quantile() of boost rounds outwards, so step by
  // hand.
  std::size_t k = 0;
  while (2 * (k + 1) <= n && 2 * boost::math::cdf(half, static_cast<double>(k)) <= 1 - confidence) ++k;
  if (k == 0) return std::nullopt;
  return Interval{.low = ascending[k - 1], .high = ascending[n - k]};
}

}  // namespace warpmark
