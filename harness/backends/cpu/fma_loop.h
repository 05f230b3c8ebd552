// SPDX-License-Identifier: Apache-2.0
// The loop behind the f32_fma probe, compiled once per instruction set: multiply-adds on registers alone.
// Everything is in an anonymous namespace, because each including file compiles it to other instructions.
#pragma once

#include <cstddef>

namespace warpmark::cpu {
namespace {

/// Runs `rounds` rounds of chains independent multiply-adds on vectors of lanes floats; returns the FLOP done.
/// chains has to cover latency times issue width (4 x 2 on the cores of today) and fit the registers.
template <std::size_t lanes, std::size_t chains>
double fma_loop(std::size_t rounds) {
  using Vector [[gnu::vector_size(lanes * sizeof(float))]] = float;
  Vector sums[chains] = {};  // not std::array: a template argument loses the vector attribute
  for (std::size_t i = 0; i < chains; ++i) sums[i] += static_cast<float>(i);
  Vector scale{};
  scale += 0.999F;
  Vector step{};
  step += 0.001F;
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < chains; ++i) sums[i] = sums[i] * scale + step;
  }
  // The result must look used, or the loop is dropped.
  asm volatile("" : : "m"(sums));
  return 2.0 * static_cast<double>(lanes * chains) * static_cast<double>(rounds);
}

}  // namespace
}  // namespace warpmark::cpu
