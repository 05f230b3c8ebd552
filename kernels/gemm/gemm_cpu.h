// SPDX-License-Identifier: Apache-2.0
// The blocked f32 product of the cpu backend by instruction set: the reference without a library, right before it is
// tuned.
#pragma once

#include <cstddef>
#include <span>

#include "harness/backends/cpu/isa.h"

namespace warpmark::cpu {

/// How a product is cut: the micro kernel keeps rows x columns of C in registers while it walks `depth` of k.
struct GemmBlocks {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

inline constexpr std::size_t gemm_depth = 256;  // depth x columns of B lies in L1, rows x depth of A beside it

/// c[rows x columns] (leading dimension ldc) = or += a (depth x rows, packed) times b (depth x columns, packed).
using GemmMicroKernel = void (*)(std::size_t depth, const float* a, const float* b, float* c, std::size_t ldc,
                                 bool add);

struct GemmMicro {
  GemmBlocks blocks{};
  GemmMicroKernel run = nullptr;
};

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const GemmMicro gemm_micro_baseline;
extern const GemmMicro gemm_micro_avx2;
extern const GemmMicro gemm_micro_avx512;

/// Every micro kernel that was compiled, the baseline first.
[[nodiscard]] std::span<const Compiled<GemmMicro>> gemm_micros();

}  // namespace warpmark::cpu
