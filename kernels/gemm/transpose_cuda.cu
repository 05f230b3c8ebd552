// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "kernels/gemm/transpose_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language

template <class T>
__device__ void transpose(const TransposeParameters& p) {
  __shared__ T tile[transpose_side][transpose_side + 1];
  constexpr unsigned step = transpose_threads / transpose_side;
  const std::size_t across = transpose_tiles(p.columns);
  const std::size_t row = blockIdx.x / across * transpose_side;
  const std::size_t column = blockIdx.x % across * transpose_side;
  const unsigned x = threadIdx.x % transpose_side;
  const unsigned y = threadIdx.x / transpose_side;
  for (std::size_t index = blockIdx.z; index < p.batch; index += gridDim.z) {
    const T* const from = static_cast<const T*>(p.from) + index * p.rows * p.columns;
    T* const to = static_cast<T*>(p.to) + index * p.rows * p.columns;
    for (unsigned i = y; i < transpose_side; i += step)
      if (row + i < p.rows && column + x < p.columns) tile[i][x] = from[(row + i) * p.columns + column + x];
    __syncthreads();
    for (unsigned i = y; i < transpose_side; i += step)
      if (column + i < p.columns && row + x < p.rows) to[(column + i) * p.rows + row + x] = tile[x][i];
    __syncthreads();
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(transpose_threads) gemm_transpose_1(const TransposeParameters p) {
  transpose<std::uint8_t>(p);
}
extern "C" __global__ void __launch_bounds__(transpose_threads) gemm_transpose_2(const TransposeParameters p) {
  transpose<std::uint16_t>(p);
}
