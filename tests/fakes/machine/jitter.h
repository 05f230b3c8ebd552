// SPDX-License-Identifier: Apache-2.0
// The noise of a device: factors around 1, lognormal, the same ones in the same order for the same seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

namespace warpmark::fakes {

class Jitter {
 public:
  Jitter(double sigma, std::optional<std::uint64_t> seed) : sigma_(sigma), random_(seed ? *seed : fresh_seed()) {}

  /// Its median is 1.
  [[nodiscard]] double factor() { return sigma_ > 0 ? std::exp(sigma_ * normal_(random_)) : 1; }

 private:
  [[nodiscard]] static std::uint64_t fresh_seed() {
    std::random_device source;
    return std::uint64_t{source()} << 32 | source();
  }

  double sigma_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{};
};

}  // namespace warpmark::fakes
