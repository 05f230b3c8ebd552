// SPDX-License-Identifier: Apache-2.0
// Bits that look random, from a number: the output function of SplitMix64 (Steele, Lea, Flood 2014). Numbers that count
// up are spread by multiples of its step first.
#pragma once

#include <cstdint>

namespace warpmark {

inline constexpr std::uint64_t splitmix64_step = 0x9e3779b97f4a7c15ULL;

[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace warpmark
