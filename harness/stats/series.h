// SPDX-License-Identifier: Apache-2.0
// Properties of samples in the order they were taken: drift and dependence, which order statistics cannot see.
#pragma once

#include <optional>
#include <span>

namespace warpmark {

/// Median of the last third over the median of the first third, minus 1. 0 below 3 samples.
[[nodiscard]] double drift(std::span<const double> samples);

/// Correlation of each sample with the next: sum (x_i - m)(x_(i+1) - m) / sum (x_i - m)^2. Empty below 3 samples or
/// when none differs.
[[nodiscard]] std::optional<double> lag1_autocorrelation(std::span<const double> samples);

}  // namespace warpmark
