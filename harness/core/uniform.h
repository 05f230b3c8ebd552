// SPDX-License-Identifier: Apache-2.0
// The operands of every benchmark: a value depends on seed and index alone, so every backend fills in parallel and
// alike.
#pragma once

#include <cstdint>

namespace warpmark {

/// Uniform in [-1, 1) with 53 random bits, which no memory compresses. The mixing is SplitMix64 (Steele, Lea, Flood
/// 2014).
[[nodiscard]] constexpr double uniform(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0xd1342543de82ef95ULL + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

}  // namespace warpmark
