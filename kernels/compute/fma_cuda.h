// SPDX-License-Identifier: Apache-2.0
// How the multiply-adds of the cuda backend are laid out (fma_cuda.cu).
#pragma once

#include <cstddef>

#include "harness/core/dtype.h"

namespace warpmark::cuda {

inline constexpr unsigned fma_block_threads = 256;
/// Pairs of registers that a thread turns at once: they cover the latency of one warp alone.
inline constexpr unsigned fma_chains = 4;

/// Numbers in a register pair of the type: narrow ones are packed in twos.
[[nodiscard]] constexpr std::size_t fma_lanes(DType dtype) { return size_of(dtype) == 2 ? 2 : 1; }

// compute_fma_<f64|f32|f16|bf16|i32> take an ops::Fma. A block turns fma_block_threads x fma_chains registers' worth of
// pairs that lie side by side; neighbouring threads have neighbouring ones.

}  // namespace warpmark::cuda
