// SPDX-License-Identifier: Apache-2.0
// The micro kernel of the blocked product, compiled once per instruction set. In an anonymous namespace, because each
// including file makes other code of it.
#pragma once

#include <cstddef>

#include "kernels/gemm/gemm_cpu.h"

namespace warpmark::cpu {
namespace {

template <std::size_t lanes>
struct F32Vector {
  using Type [[gnu::vector_size(lanes * sizeof(float))]] = float;
};

/// height x (2 lanes) of C in registers: 2 height accumulators, enough to cover the latency of a multiply-add.
template <std::size_t lanes, std::size_t height>
void gemm_micro(std::size_t depth, const float* a, const float* b, float* c, std::size_t ldc, bool add) {
  using Vector = typename F32Vector<lanes>::Type;
  Vector sums[height][2] = {};
  for (std::size_t l = 0; l < depth; ++l) {
    Vector left;
    Vector right;
    __builtin_memcpy(&left, b + l * 2 * lanes, sizeof left);
    __builtin_memcpy(&right, b + l * 2 * lanes + lanes, sizeof right);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < height; ++i) {
      const float factor = a[l * height + i];
      sums[i][0] += factor * left;
      sums[i][1] += factor * right;
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      float* const to = c + i * ldc + half * lanes;
      Vector old{};
      if (add) __builtin_memcpy(&old, to, sizeof old);
      old += sums[i][half];
      __builtin_memcpy(to, &old, sizeof old);
    }
  }
}

template <std::size_t lanes, std::size_t height>
constexpr GemmMicro micro_of() {
  return {.blocks = {.rows = height, .columns = 2 * lanes}, .run = gemm_micro<lanes, height>};
}

}  // namespace
}  // namespace warpmark::cpu
