// SPDX-License-Identifier: Apache-2.0
// The loop behind the probes of multiply-add units, compiled once per instruction set: registers alone.
// Everything is in an anonymous namespace, because each including file compiles it to other instructions.
#pragma once

#include <cstddef>

namespace warpmark::cpu {
namespace {

/// Runs `rounds` rounds of chains independent multiply-adds on vectors of `lanes` numbers; returns the operations done.
/// chains has to cover latency times issue width (4 x 2 on the cores of today) and fit the registers.
template <class T, std::size_t lanes, std::size_t chains>
double fma_loop(std::size_t rounds) {
  using Vector [[gnu::vector_size(lanes * sizeof(T))]] = T;
  Vector sums[chains] = {};  // not std::array: a template argument loses the vector attribute
  for (std::size_t i = 0; i < chains; ++i) sums[i] += static_cast<T>(i);
  Vector scale{};
  scale += static_cast<T>(0.999);
  Vector step{};
  step += static_cast<T>(0.001);
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
