// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/modes.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/stats/order.h"

namespace warpmark {
namespace {

constexpr std::size_t least_samples = 8;
constexpr std::size_t least_on_a_level = 3;
constexpr double least_share = 0.05;
constexpr double least_ratio = 1.10;
constexpr double least_narrowness = 2.4;
constexpr double least_gap = 0.4;

/// Sums over any stretch of ascending values in constant time.
class Sums {
 public:
  explicit Sums(std::span<const double> ascending) : sum_(ascending.size() + 1), square_(ascending.size() + 1) {
    origin_ = ascending[ascending.size() / 2];  // sums of distances from it keep their digits
    for (std::size_t i = 0; i < ascending.size(); ++i) {
      const double x = ascending[i] - origin_;
      sum_[i + 1] = sum_[i] + x;
      square_[i + 1] = square_[i] + x * x;
    }
  }
  [[nodiscard]] double mean(std::size_t from, std::size_t to) const {
    return origin_ + (sum_[to] - sum_[from]) / static_cast<double>(to - from);
  }
  /// Sum of the squared distances from the mean.
  [[nodiscard]] double scatter(std::size_t from, std::size_t to) const {
    const double sum = sum_[to] - sum_[from];
    return std::max(0.0, square_[to] - square_[from] - sum * sum / static_cast<double>(to - from));
  }

 private:
  double origin_ = 0;
  std::vector<double> sum_;
  std::vector<double> square_;
};

/// How many of the ascending values belong to the lower group.
std::size_t two_means(std::span<const double> ascending) {
  const std::size_t n = ascending.size();
  const auto share = static_cast<std::size_t>(std::ceil(least_share * static_cast<double>(n)));
  const std::size_t least = std::max(least_on_a_level, share);
  const Sums sums(ascending);
  std::size_t best = least;
  double least_scatter = std::numeric_limits<double>::infinity();
  for (std::size_t i = least; i + least <= n; ++i) {
    const double scatter = sums.scatter(0, i) + sums.scatter(i, n);
    if (scatter >= least_scatter) continue;
    best = i;
    least_scatter = scatter;
  }
  return best;
}

/// What the pooled separation has to pass. The constants fit the 99 % points of 10,000 simulated uniform series each
/// of 8 to 1000 samples.
double least_separation(std::size_t n) {
  const auto count = static_cast<double>(n);
  return 3.5 + 27 / count + 2.5 / std::sqrt(count);
}

/// The largest deviation that `count` samples with that scatter are compatible with (95 %, normal).
double largest_deviation(double scatter, std::size_t count) {
  const boost::math::chi_squared_distribution<double> chi_squared(static_cast<double>(count - 1));
  return std::sqrt(scatter / boost::math::quantile(chi_squared, 0.05));
}

/// Whether the first k of the ascending values and the others are levels, in this unit.
bool are_levels(std::span<const double> ascending, std::size_t k) {
  const std::size_t n = ascending.size();
  const auto lower = ascending.first(k);
  const auto upper = ascending.subspan(k);
  const Sums sums(ascending);
  const double apart = sums.mean(k, n) - sums.mean(0, k);
  const double lower_scatter = sums.scatter(0, k);
  const double upper_scatter = sums.scatter(k, n);
  const double pooled = std::sqrt((lower_scatter + upper_scatter) / static_cast<double>(n - 2));
  if (apart < least_separation(n) * pooled) return false;
  const double widest = std::max(largest_deviation(lower_scatter, k), largest_deviation(upper_scatter, n - k));
  if (apart < least_narrowness * widest) return false;
  return quantile(upper, 0.1) - quantile(lower, 0.9) >= least_gap * (median(upper) - median(lower));
}

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

std::vector<double> ascending_rates(std::span<const double> ascending_times) {
  std::vector<double> rates;
  rates.reserve(ascending_times.size());
  for (const double time : ascending_times) rates.push_back(1 / time);
  std::reverse(rates.begin(), rates.end());
  return rates;
}

std::int64_t count_switches(std::span<const double> samples, double boundary) {
  std::int64_t switches = 0;
  for (std::size_t i = 1; i < samples.size(); ++i)
    if ((samples[i - 1] < boundary) != (samples[i] < boundary)) ++switches;
  return switches;
}

}  // namespace

std::optional<TwoModes> two_modes(std::span<const double> samples) {
  const auto usable = [](double sample) { return std::isnormal(sample) && sample > 0; };
  if (samples.size() < least_samples || !std::all_of(samples.begin(), samples.end(), usable)) return std::nullopt;
  const std::vector<double> ascending = sorted(samples);
  const std::size_t n = ascending.size();
  const std::size_t k = two_means(logarithms(ascending));
  const auto lower = std::span(ascending).first(k);
  const auto upper = std::span(ascending).subspan(k);
  if (median(upper) < least_ratio * median(lower)) return std::nullopt;
  if (!are_levels(ascending, k) || !are_levels(ascending_rates(ascending), n - k)) return std::nullopt;
  const double share = static_cast<double>(k) / static_cast<double>(n);
  const double boundary = (lower.back() + upper.front()) / 2;
  return TwoModes{.levels = {median(lower), median(upper)},
                  .shares = {share, 1 - share},
                  .switches = count_switches(samples, boundary),
                  .boundary = boundary};
}

}  // namespace warpmark
