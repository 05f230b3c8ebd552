// SPDX-License-Identifier: Apache-2.0
// Matrix sums by the products of warpgroups, which only chips of compute capability 9.0 have.
#include "harness/backends/cuda/unroll.cuh"
#include "harness/backends/cuda/wgmma.cuh"
#include "kernels/compute/matrix.h"
#include "kernels/compute/matrix_cuda.h"

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
using warpmark::ops::MatrixSums;

namespace {

static_assert(matrix_wgmma_results_of_block == matrix_block_threads / warpgroup_threads * wgmma_rows * wgmma_columns);

/// Of a block: both of its warpgroups multiply the same.
struct alignas(128) Tiles {
  unsigned char plus[wgmma_rows * wgmma_depth_bytes];
  unsigned char minus[wgmma_rows * wgmma_depth_bytes];
  unsigned char last[wgmma_rows * wgmma_depth_bytes];  // D - A
  unsigned char b[wgmma_columns * wgmma_depth_bytes];
};

template <class T>
__device__ void put(unsigned char* tile, unsigned row, unsigned index, int value) {
  const auto element = static_cast<T>(static_cast<float>(value));
  __builtin_memcpy(tile + wgmma_offset(row, index * sizeof(T)), reinterpret_cast<const unsigned char*>(&element),
                   sizeof element);
}

template <class T>
__device__ void start(Tiles& tiles) {
  constexpr unsigned depth = wgmma_depth_bytes / sizeof(T);
  for (unsigned i = threadIdx.x; i < wgmma_columns * depth; i += matrix_block_threads) {
    const unsigned row = i / depth;
    const unsigned k = i % depth;
    put<T>(tiles.b, row, k, k == 0 ? 1 - 2 * static_cast<int>(row % 2) : warpmark::ops::matrix_b(3 * row + k));
    if (row >= wgmma_rows) continue;
    const int a = warpmark::ops::matrix_a(3 * row + 5 * k);
    put<T>(tiles.plus, row, k, a);
    put<T>(tiles.minus, row, k, -a);
    put<T>(tiles.last, row, k, (k == 0 ? 1 : 0) - a);
  }
  wgmma_show_tiles();
  __syncthreads();
}

template <class Wgmma, unsigned depth>
__device__ void add_rounds(typename Wgmma::Sum (&sums)[wgmma_sums], const Tiles& tiles, std::size_t rounds) {
  constexpr unsigned steps = warpmark::ops::matrix_round_products / depth;
  static_assert(steps % 2 == 0);
  const SharedTile plus(tiles.plus);
  const SharedTile minus(tiles.minus);
  const SharedTile last(tiles.last);
  const SharedTile b(tiles.b);
  for (std::size_t round = 0; round < rounds; ++round) {
    wgmma_begin();
    WARPMARK_UNROLL for (unsigned step = 0; step < steps; step += 2) {
      Wgmma::multiply(sums, plus, b);
      Wgmma::multiply(sums, step + 2 < steps ? minus : last, b);
    }
    wgmma_end_group();
    wgmma_wait<1>();  // the unit has the next round at hand when it is through with one
  }
  wgmma_wait<0>();
}

template <class Wgmma, class T>
__device__ void matrix_sums(const MatrixSums& op) {
  __shared__ Tiles tiles;
  start<T>(tiles);
  typename Wgmma::Sum sums[wgmma_sums];
  WARPMARK_UNROLL for (auto& sum : sums) sum = 0;
  add_rounds<Wgmma, wgmma_depth_bytes / sizeof(T)>(sums, tiles, op.rounds);
  const std::size_t group =
      std::size_t{blockIdx.x} * (matrix_block_threads / warpgroup_threads) + threadIdx.x / warpgroup_threads;
  WARPMARK_UNROLL for (unsigned pair = 0; pair < wgmma_sums / 2; ++pair) {
    const std::size_t at =
        2 * ((group * (wgmma_sums / 2) + pair) * warpgroup_threads + threadIdx.x % warpgroup_threads);
    if (at + 1 >= op.n) continue;
    op.c[at] = static_cast<float>(sums[2 * pair]);
    op.c[at + 1] = static_cast<float>(sums[2 * pair + 1]);
  }
}

}  // namespace

#define WARPMARK_KERNEL extern "C" __global__ void __launch_bounds__(matrix_block_threads)
WARPMARK_KERNEL compute_matrix_wgmma_f16(const MatrixSums op) { matrix_sums<WgmmaF16, __half>(op); }
WARPMARK_KERNEL compute_matrix_wgmma_bf16(const MatrixSums op) { matrix_sums<WgmmaBf16, __nv_bfloat16>(op); }
WARPMARK_KERNEL compute_matrix_wgmma_tf32(const MatrixSums op) { matrix_sums<WgmmaTf32, float>(op); }
WARPMARK_KERNEL compute_matrix_wgmma_e4m3(const MatrixSums op) { matrix_sums<WgmmaE4m3, __nv_fp8_e4m3>(op); }
WARPMARK_KERNEL compute_matrix_wgmma_i8(const MatrixSums op) { matrix_sums<WgmmaI8, std::int8_t>(op); }
