// SPDX-License-Identifier: Apache-2.0
// The operands of every benchmark: a value depends on seed and index alone, so every backend fills in parallel and
// alike.
#pragma once

#include <cstdint>

#include "harness/core/splitmix64.h"

namespace warpmark {

/// Uniform in [-1, 1) with 53 random bits, which no memory compresses.
[[nodiscard]] constexpr double uniform(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t z = splitmix64(seed * 0xd1342543de82ef95ULL + (index + 1) * splitmix64_step);
  return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

}  // namespace warpmark
