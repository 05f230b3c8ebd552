// SPDX-License-Identifier: Apache-2.0
// Which matrices of a batch, and which tile of C, a block of a product has.
#pragma once

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_cuda.h"

namespace warpmark::cuda {

template <class T>
struct GemmPair {
  const T* a;
  const T* b;
  T* c;
  std::size_t row;  // where the tile begins
  std::size_t column;
};

template <class T, std::size_t rows, std::size_t columns>
__device__ GemmPair<T> gemm_pair(const ops::Gemm& op, std::size_t index) {
  const std::size_t down = gemm_tiles(op.m, rows);
  return {.a = static_cast<const T*>(op.a) + index * op.m * op.k,
          .b = static_cast<const T*>(op.b) + index * op.k * op.n,
          .c = static_cast<T*>(op.c) + index * op.m * op.n,
          .row = blockIdx.x % down * rows,
          .column = blockIdx.x / down * columns};
}

}  // namespace warpmark::cuda
