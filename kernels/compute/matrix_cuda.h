// SPDX-License-Identifier: Apache-2.0
// How the matrix sums of the cuda backend are laid out (matrix_cuda.cu).
#pragma once

#include <cstddef>

namespace warpmark::cuda {

inline constexpr unsigned matrix_block_threads = 256;
/// Sums that a warp keeps at once: eight warps of such cover the latency of the unit several times.
inline constexpr unsigned matrix_chains = 4;

/// What wgmma leaves: 64 x 240 sums of each of a block's two warpgroups. Two such blocks are an SM's part of the
/// benchmark, one after the other, because one has more than half of its registers.
inline constexpr unsigned matrix_wgmma_results_of_block = 2 * 64 * 240;

// compute_matrix_wgmma_<tf32|f16|bf16|e4m3|i8> take an ops::MatrixSums, and so do
// compute_matrix_<f64|tf32|f16|f16_acc16|bf16|e4m3|i8>. Each sum of a warp is of one
// instruction: 16 x 8 results, of f64 8 x 8.

[[nodiscard]] constexpr std::size_t matrix_results_of_block(bool is_f64) {
  return std::size_t{matrix_block_threads} / 32 * matrix_chains * (is_f64 ? 64 : 128);
}

}  // namespace warpmark::cuda
