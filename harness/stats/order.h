// SPDX-License-Identifier: Apache-2.0
// Order statistics of samples. Formulas are stated here and tested against values worked out by hand.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace warpmark {

/// An ascending copy. Every function below takes samples in that order and at least one of them.
[[nodiscard]] std::vector<double> sorted(std::span<const double> samples);

/// Quantile by linear interpolation between the closest ranks (type 7 of Hyndman and Fan): h = (n - 1) q.
[[nodiscard]] double quantile(std::span<const double> ascending, double q);

/// quantile(0.5): the middle sample, or the mean of the two middle ones.
[[nodiscard]] double median(std::span<const double> ascending);

/// Median of |x - median|, not scaled.
[[nodiscard]] double median_absolute_deviation(std::span<const double> ascending);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Distribution-free interval of the median from order statistics: [x_(k), x_(n+1-k)] with the largest k for which
/// P(k <= Binomial(n, 1/2) <= n - k) >= confidence (David and Nagaraja, Order Statistics, 7.1). Empty when even the
/// whole range does not hold it: below 6 samples at 95 %.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> ascending, double confidence = 0.95);

}  // namespace warpmark
