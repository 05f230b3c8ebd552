// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_pair_cuda.cuh"

namespace {

using warpmark::cuda::gemm_pair;
using warpmark::cuda::GemmPair;
using warpmark::ops::Gemm;

constexpr warpmark::cuda::GemmTile tile = warpmark::cuda::gemm_tiled_tile;
/// A thread makes side x side of C, whose rows and columns lie `step` apart: neighbours read neighbours.
constexpr unsigned side = 4;
constexpr unsigned step = 16;
static_assert(tile.rows == side * step && tile.columns == side * step && tile.threads == step * step);

/// One step of a block along k, with zeros beyond the edges.
template <class T>
struct Operands {
  T a[tile.depth][tile.rows + 1];  // transposed; one more, so that a column's stores meet different banks
  T b[tile.depth][tile.columns];
};

template <class T>
__device__ void load(Operands<T>& to, const Gemm& op, const GemmPair<T>& from, std::size_t first) {
  for (unsigned i = threadIdx.x; i < tile.rows * tile.depth; i += tile.threads) {
    const std::size_t row = from.row + i / tile.depth;
    const std::size_t l = first + i % tile.depth;
    to.a[i % tile.depth][i / tile.depth] = row < op.m && l < op.k ? from.a[row * op.k + l] : T{0};
  }
  for (unsigned i = threadIdx.x; i < tile.depth * tile.columns; i += tile.threads) {
    const std::size_t l = first + i / tile.columns;
    const std::size_t column = from.column + i % tile.columns;
    to.b[i / tile.columns][i % tile.columns] = l < op.k && column < op.n ? from.b[l * op.n + column] : T{0};
  }
}

template <class T>
__device__ void multiply(T (&sums)[side][side], const Operands<T>& operands) {
  const unsigned x = threadIdx.x % step;
  const unsigned y = threadIdx.x / step;
  for (std::size_t l = 0; l < tile.depth; ++l) {
    T a[side];
    T b[side];
    for (unsigned i = 0; i < side; ++i) a[i] = operands.a[l][y + i * step];
    for (unsigned j = 0; j < side; ++j) b[j] = operands.b[l][x + j * step];
    for (unsigned i = 0; i < side; ++i)
      for (unsigned j = 0; j < side; ++j) sums[i][j] += a[i] * b[j];
  }
}

template <class T>
__device__ void gemm(const Gemm& op) {
  __shared__ Operands<T> operands;
  for (std::size_t index = blockIdx.z; index < op.batch; index += gridDim.z) {
    const GemmPair<T> pair = gemm_pair<T, tile.rows, tile.columns>(op, index);
    T sums[side][side]{};
    for (std::size_t first = 0; first < op.k; first += tile.depth) {
      load(operands, op, pair, first);
      __syncthreads();
      multiply(sums, operands);
      __syncthreads();
    }
    for (unsigned i = 0; i < side; ++i) {
      for (unsigned j = 0; j < side; ++j) {
        const std::size_t row = pair.row + threadIdx.x / step + i * step;
        const std::size_t column = pair.column + threadIdx.x % step + j * step;
        if (row < op.m && column < op.n) pair.c[row * op.n + column] = sums[i][j];
      }
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(tile.threads, 1) gemm_tiled_f64(const Gemm op) { gemm<double>(op); }
extern "C" __global__ void __launch_bounds__(tile.threads, 1) gemm_tiled_f32(const Gemm op) { gemm<float>(op); }
