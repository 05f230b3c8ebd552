// SPDX-License-Identifier: Apache-2.0
// Brings the B of a product into the layout that every type is taken in, once, while the product is bound.
#pragma once

#include <cstddef>

namespace warpmark::cuda {

/// A block takes a tile of so many rows and columns.
inline constexpr unsigned transpose_side = 32;
inline constexpr unsigned transpose_threads = 256;

/// gemm_transpose_<bytes of an element: 1, 2>: to[batch][columns][rows] of from[batch][rows][columns]. blockIdx.x
/// counts the tiles of a matrix along its rows, blocks of z share out the batch.
struct TransposeParameters {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t batch = 1;
};

[[nodiscard]] constexpr std::size_t transpose_tiles(std::size_t n) { return (n + transpose_side - 1) / transpose_side; }

}  // namespace warpmark::cuda
