// SPDX-License-Identifier: Apache-2.0
#include "harness/stats/series.h"

#include <numeric>

#include "harness/stats/order.h"

namespace warpmark {

double drift(std::span<const double> samples) {
  const std::size_t third = samples.size() / 3;
  if (third == 0) return 0;
  return median(sorted(samples.last(third))) / median(sorted(samples.first(third))) - 1;
}

std::optional<double> lag1_autocorrelation(std::span<const double> samples) {
  if (samples.size() < 3) return std::nullopt;
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    square += (samples[i] - mean) * (samples[i] - mean);
    if (i + 1 < samples.size()) product += (samples[i] - mean) * (samples[i + 1] - mean);
  }
  if (square <= 0) return std::nullopt;
  return product / square;
}

}  // namespace warpmark
