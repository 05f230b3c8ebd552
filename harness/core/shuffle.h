// SPDX-License-Identifier: Apache-2.0
// A random order of n places that nobody has to store: each place follows from seed and index alone, so every backend
// finds it in parallel and alike, and the end of a long way along it is known without going there.
#pragma once

#include <cstdint>

#include "harness/core/splitmix64.h"

namespace warpmark {

/// A bijection of [0, n). Rounds of multiplying by an odd number and folding the upper half of the bits onto the lower
/// are one of the next power of two; what falls outside n is sent through again until it does not.
class Shuffle {
 public:
  /// n is at least 1.
  constexpr Shuffle(std::uint64_t seed, std::uint64_t n) : n_(n), mask_(n - 1) {
    for (unsigned by = 1; by < 64; by *= 2) mask_ |= mask_ >> by;
    while (half_ < 32 && (mask_ >> (2 * half_)) != 0) ++half_;
    for (unsigned round = 0; round < rounds; ++round) {
      factors_[round] = splitmix64(seed * rounds + round + splitmix64_step) | 1U;
      steps_[round] = splitmix64(factors_[round] + splitmix64_step);
    }
  }

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t index) const {
    std::uint64_t place = index;
    do place = once(place);
    while (place >= n_);
    return place;
  }

 private:
  static constexpr unsigned rounds = 6;

  [[nodiscard]] constexpr std::uint64_t once(std::uint64_t x) const {
    for (unsigned round = 0; round < rounds; ++round) {
      x = (x * factors_[round] + steps_[round]) & mask_;
      x ^= x >> half_;
    }
    return x;
  }

  std::uint64_t n_;
  std::uint64_t mask_;  // all bits of n - 1
  unsigned half_ = 1;   // of those bits, rounded up
  std::uint64_t factors_[rounds] = {};
  std::uint64_t steps_[rounds] = {};
};

}  // namespace warpmark
