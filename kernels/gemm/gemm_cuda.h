// SPDX-License-Identifier: Apache-2.0
// Products of our own on the cuda backend: references without a library, right before they are tuned.
#pragma once

#include <cstddef>

namespace warpmark::cuda {

/// A block makes rows x columns of C, `depth` of k at a time.
struct GemmTile {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
  unsigned threads = 0;
};

inline constexpr GemmTile gemm_tiled_tile{.rows = 64, .columns = 64, .depth = 16, .threads = 256};
inline constexpr GemmTile gemm_mma_tile{.rows = 64, .columns = 64, .depth = 32, .threads = 128};

// gemm_tiled_<f64|f32> and gemm_mma_<f16|bf16> take an ops::Gemm. blockIdx.x counts the tiles of C down its columns,
// blocks of z share out the batch.

[[nodiscard]] constexpr std::size_t gemm_tiles(std::size_t n, std::size_t of_tile) {
  return (n + of_tile - 1) / of_tile;
}

}  // namespace warpmark::cuda
