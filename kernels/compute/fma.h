// SPDX-License-Identifier: Apache-2.0
// The contract of fma: multiply-adds from registers alone, as pairs of numbers that turn about the origin. Turning
// keeps them in bounds for any number of rounds, and no round is forgotten: the end tells how many there were.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// Pair i starts as u = 1 + (i mod fma_starts) / fma_starts, v = 1/2. A round is two multiply-adds, the second with
/// what the first one made: u += e v, then v -= e u, each rounded once where the machine has such an instruction. Of
/// integers, modulo 2^32: u starts as 1 + i mod fma_starts, v as 3, and e is fma_factor.
struct Fma {
  void* u = nullptr;
  void* v = nullptr;
  std::size_t n = 0;  // pairs
  std::size_t rounds = 0;
};

/// So few that bf16 has each of them.
inline constexpr std::size_t fma_starts = 128;
/// e: six digits, which bf16 has too.
inline constexpr double fma_angle = 45.0 / 1024;
inline constexpr unsigned fma_factor = 0x9e3779b1U;

[[nodiscard]] constexpr double fma_start(std::size_t pair) {
  return 1 + static_cast<double>(pair % fma_starts) / static_cast<double>(fma_starts);
}
inline constexpr double fma_other_start = 0.5;

}  // namespace warpmark::ops
