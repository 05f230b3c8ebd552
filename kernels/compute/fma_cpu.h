// SPDX-License-Identifier: Apache-2.0
// The multiply-add loops of the cpu by instruction set: one thread's part of the pairs.
#pragma once

#include <cstddef>

#include "harness/core/f16.h"

namespace warpmark::cpu {

/// The pairs from `first` on, `n` of them; u and v are where the first of them goes.
template <class T>
using FmaLoop = void (*)(T* u, T* v, std::size_t first, std::size_t n, std::size_t rounds);

struct FmaLoops {
  FmaLoop<double> f64 = nullptr;
  FmaLoop<float> f32 = nullptr;
  FmaLoop<F16> f16 = nullptr;
};

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const FmaLoops fma_loops_baseline;
extern const FmaLoops fma_loops_avx2;
extern const FmaLoops fma_loops_avx512;
extern const FmaLoops fma_loops_avx512_fp16;

}  // namespace warpmark::cpu
