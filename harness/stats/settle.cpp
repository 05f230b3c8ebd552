// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/settle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "harness/stats/order.h"

namespace warpmark {
namespace {

constexpr std::size_t neighbours = 2;  // on either side
constexpr double least_tolerance = 0.02;
constexpr double least_drift = 0.01;
constexpr double deviations = 4;
constexpr double sigma_per_mad = 1.4826;    // of a normal distribution
constexpr double median_per_mean = 1.2533;  // how much less a median tells than a mean: sqrt(pi / 2)

/// Standard deviation of one sample, from the differences of neighbours.
double scatter_of(std::span<const double> samples) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < samples.size(); ++i) steps.push_back(samples[i] - samples[i - 1]);
  return sigma_per_mad * median_absolute_deviation(sorted(steps)) / std::numbers::sqrt2;
}

/// How far a median of so many lies from the middle by chance, at most.
double by_chance(double scatter, std::size_t count) {
  return deviations * median_per_mean * scatter / std::sqrt(static_cast<double>(count));
}

std::vector<double> smoothed(std::span<const double> samples) {
  std::vector<double> smooth;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t first = i - std::min(i, neighbours);
    const std::size_t last = std::min(i + neighbours + 1, samples.size());
    smooth.push_back(median(sorted(samples.subspan(first, last - first))));
  }
  return smooth;
}

}  // namespace

std::optional<std::size_t> settled_from(std::span<const double> samples) {
  if (samples.size() < least_to_settle) return std::nullopt;
  const std::span<const double> end = samples.last(samples.size() / 3);
  const std::size_t half = end.size() / 2;
  const double level = median(sorted(end));
  const double scatter = scatter_of(samples);
  const double moved = std::abs(median(sorted(end.last(half))) - median(sorted(end.first(half))));
  if (moved > std::max(least_drift * level, std::numbers::sqrt2 * by_chance(scatter, half))) return std::nullopt;
  const double tolerance = std::max(least_tolerance * level, by_chance(scatter, 2 * neighbours + 1));
  const std::vector<double> smooth = smoothed(samples);
  std::size_t from = samples.size();
  while (from > 0 && std::abs(smooth[from - 1] - level) <= tolerance) --from;
  if (from > samples.size() - end.size()) return std::nullopt;
  return from;
}

}  // namespace warpmark
