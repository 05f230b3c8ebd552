// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/mma.cuh"
#include "harness/backends/cuda/unroll.cuh"
#include "kernels/gemm/gemm_pair_cuda.cuh"

namespace {

using warpmark::cuda::gemm_pair;
using warpmark::cuda::GemmPair;
using warpmark::ops::Gemm;

constexpr warpmark::cuda::GemmTile tile = warpmark::cuda::gemm_mma_tile;
/// Four warps make a quarter of the tile each.
constexpr std::size_t warp_side = 32;
constexpr unsigned across = warp_side / 8;
constexpr unsigned down = warp_side / 16;
constexpr std::size_t mma_depth = 16;
static_assert(tile.rows == 2 * warp_side && tile.columns == 2 * warp_side && tile.threads == 4 * 32);

/// Eight more elements than a row needs: lanes of a warp read 32 different banks.
constexpr std::size_t stride = tile.depth + 8;

/// One step of a block along k, with zeros beyond the edges.
template <class T>
struct Operands {
  alignas(16) T a[tile.rows][stride];
  alignas(16) T b[tile.columns][stride];  // transposed
};

__device__ void narrow(__half& to, float x) { to = __float2half_rn(x); }
__device__ void narrow(__nv_bfloat16& to, float x) { to = __float2bfloat16_rn(x); }

template <class T>
__device__ void load(Operands<T>& to, const Gemm& op, const GemmPair<T>& from, std::size_t first) {
  T zero;
  narrow(zero, 0);
  for (unsigned i = threadIdx.x; i < tile.rows * tile.depth; i += tile.threads) {
    const std::size_t row = from.row + i / tile.depth;
    const std::size_t l = first + i % tile.depth;
    to.a[i / tile.depth][i % tile.depth] = row < op.m && l < op.k ? from.a[row * op.k + l] : zero;
  }
  for (unsigned i = threadIdx.x; i < tile.depth * tile.columns; i += tile.threads) {
    const std::size_t l = first + i / tile.columns;
    const std::size_t column = from.column + i % tile.columns;
    to.b[i % tile.columns][i / tile.columns] = l < op.k && column < op.n ? from.b[l * op.n + column] : zero;
  }
}

/// Two elements that lie side by side, the first at an even place.
template <class T>
__device__ unsigned two_of(const T* from) {
  unsigned both;
  __builtin_memcpy(&both, __builtin_assume_aligned(from, sizeof both), sizeof both);
  return both;
}

/// Where the calling lane and its warp are: mma.cuh says which lane has which elements.
struct Place {
  std::size_t row = threadIdx.x / 64 * warp_side;  // of the warp, in the block's tile
  std::size_t column = threadIdx.x / 32 % 2 * warp_side;
  unsigned group = threadIdx.x % 32 / 4;
  unsigned pair = threadIdx.x % 4 * 2;
};

using Sums = float[down][across][4];

template <class Mma, class T>
__device__ void multiply(Sums& sums, const Operands<T>& operands, const Place& at) {
  for (std::size_t l = at.pair; l < tile.depth; l += mma_depth) {
    unsigned b[across][2];
    for (unsigned j = 0; j < across; ++j)
      for (unsigned r = 0; r < 2; ++r) b[j][r] = two_of(&operands.b[at.column + j * 8 + at.group][l + r * 8]);
    for (unsigned i = 0; i < down; ++i) {
      unsigned a[4];
      for (unsigned r = 0; r < 4; ++r)
        a[r] = two_of(&operands.a[at.row + i * 16 + at.group + r % 2 * 8][l + r / 2 * 8]);
      for (unsigned j = 0; j < across; ++j) Mma::multiply(sums[i][j], a, b[j]);
    }
  }
}

template <class T>
__device__ void store(const Gemm& op, const GemmPair<T>& pair, const Sums& sums, const Place& at) {
  WARPMARK_UNROLL for (unsigned i = 0; i < down; ++i) {
    WARPMARK_UNROLL for (unsigned j = 0; j < across; ++j) {
      WARPMARK_UNROLL for (unsigned r = 0; r < 4; ++r) {
        const std::size_t row = pair.row + at.row + i * 16 + at.group + r / 2 * 8;
        const std::size_t column = pair.column + at.column + j * 8 + at.pair + r % 2;
        if (row < op.m && column < op.n) narrow(pair.c[row * op.n + column], sums[i][j][r]);
      }
    }
  }
}

template <class Mma, class T>
__device__ void gemm(const Gemm& op) {
  __shared__ Operands<T> operands;
  const Place at{};
  for (std::size_t index = blockIdx.z; index < op.batch; index += gridDim.z) {
    const GemmPair<T> pair = gemm_pair<T, tile.rows, tile.columns>(op, index);
    const bool has_part = pair.row + at.row < op.m && pair.column + at.column < op.n;  // alike for the whole warp
    Sums sums{};
    for (std::size_t first = 0; first < op.k; first += tile.depth) {
      load(operands, op, pair, first);
      __syncthreads();
      if (has_part) multiply<Mma>(sums, operands, at);
      __syncthreads();
    }
    store(op, pair, sums, at);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(tile.threads, 1) gemm_mma_f16(const Gemm op) {
  gemm<warpmark::cuda::MmaF16, __half>(op);
}
extern "C" __global__ void __launch_bounds__(tile.threads, 1) gemm_mma_bf16(const Gemm op) {
  gemm<warpmark::cuda::MmaBf16, __nv_bfloat16>(op);
}
