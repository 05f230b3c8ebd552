// SPDX-License-Identifier: Apache-2.0
// The micro kernel of the blocked product, compiled once per instruction set. In an anonymous namespace, because each
// including file makes other code of it.
#pragma once

#include <cstddef>

#include "kernels/gemm/gemm_cpu.h"

namespace warpmark::cpu {
namespace {

template <std::size_t Lanes>
struct F32Vector {
  typedef float Type __attribute__((vector_size(Lanes * sizeof(float))));
};

/// Rows x (2 Lanes) of C in registers: 2 Rows accumulators, enough to cover the latency of a multiply-add.
template <std::size_t Lanes, std::size_t Rows>
void gemm_micro(std::size_t depth, const float* a, const float* b, float* c, std::size_t ldc, bool add) {
  using Vector = typename F32Vector<Lanes>::Type;
  Vector sums[Rows][2] = {};
  for (std::size_t l = 0; l < depth; ++l) {
    Vector left;
    Vector right;
    __builtin_memcpy(&left, b + l * 2 * Lanes, sizeof left);
    __builtin_memcpy(&right, b + l * 2 * Lanes + Lanes, sizeof right);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Rows; ++i) {
      const float factor = a[l * Rows + i];
      sums[i][0] += factor * left;
      sums[i][1] += factor * right;
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Rows; ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      float* const to = c + i * ldc + half * Lanes;
      Vector old{};
      if (add) __builtin_memcpy(&old, to, sizeof old);
      old += sums[i][half];
      __builtin_memcpy(to, &old, sizeof old);
    }
  }
}

template <std::size_t Lanes, std::size_t Rows>
constexpr GemmMicro micro_of() {
  return {.blocks = {.rows = Rows, .columns = 2 * Lanes}, .run = gemm_micro<Lanes, Rows>};
}

}  // namespace
}  // namespace warpmark::cpu
