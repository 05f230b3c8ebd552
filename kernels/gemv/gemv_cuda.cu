// SPDX-License-Identifier: Apache-2.0
// y = W x by warps that take two rows each. Every load of W is of 16 bytes and goes past L1, which is left to x: all
// rows read that, and w4 four times as many bytes of it as of W.
//
// In flight, by Little's law: the H200 needs 25 KiB per SM (memory_cuda.cu has the table). A thread has eight vectors;
// 4096 rows are 15 warps per SM with 61 KiB, the 1024 rows of "kv" 4 warps with 16 KiB: as few rows as that cannot fill
// such a card.
//
// Weights become f16 by putting their bits into the fraction of 1024, which is one operation for two, and taking that
// away again, both exactly; products and sums are f32.
#include <cuda_fp16.h>

#include <cstdint>

#include "harness/backends/cuda/grid_fold.cuh"
#include "harness/backends/cuda/unroll.cuh"
#include "kernels/gemv/gemv_cuda.h"

namespace {

using warpmark::cuda::Add;
using warpmark::cuda::fold_warp;
using warpmark::cuda::gemv_block_rows;
using warpmark::cuda::gemv_block_threads;
using warpmark::cuda::gemv_unroll;
using warpmark::cuda::gemv_warp_rows;
using warpmark::ops::Gemv;

/// Two numbers of f16 as they lie, in f32.
__device__ float2 as_floats(unsigned both) {
  __half2 halves;
  __builtin_memcpy(static_cast<void*>(&halves), &both, sizeof both);
  return __half22float2(halves);
}

/// Of two f16 whose values are 1024 and more: their distance from `zero`.
__device__ float2 above(unsigned both, float zero) {
  __half2 halves;
  __builtin_memcpy(static_cast<void*>(&halves), &both, sizeof both);
  return __half22float2(__hsub2(halves, __float2half2_rn(zero)));
}

__device__ float dot(float2 a, float2 b, float sum) { return fmaf(a.y, b.y, fmaf(a.x, b.x, sum)); }

/// The words of a vector, by number.
struct Words {
  unsigned of[4];
};
__device__ Words words(uint4 v) { return {{v.x, v.y, v.z, v.w}}; }

/// Columns of x that one vector of W has, in f32.
template <unsigned columns>
struct Part {
  float of[columns];
};

template <unsigned columns>
__device__ Part<columns> part_of_x(const void* x, std::size_t vector) {
  Part<columns> part;
  const uint4* const from = static_cast<const uint4*>(x) + vector * (columns / 8);
  WARPMARK_UNROLL
  for (unsigned i = 0; i < columns / 8; ++i) {
    const Words eight = words(from[i]);
    WARPMARK_UNROLL
    for (unsigned j = 0; j < 4; ++j) {
      const float2 two = as_floats(eight.of[j]);
      part.of[8 * i + 2 * j] = two.x;
      part.of[8 * i + 2 * j + 1] = two.y;
    }
  }
  return part;
}

// What a vector of W holds: columns, and its product with as many of x, scaled where a vector has a scale of its own.
struct W16 {
  static constexpr unsigned columns = 8;
  static __device__ float product(const Gemv&, std::size_t, std::size_t, uint4 w, const Part<columns>& x) {
    const Words all = words(w);
    float sum = 0;
    WARPMARK_UNROLL
    for (unsigned i = 0; i < 4; ++i) sum = dot(as_floats(all.of[i]), make_float2(x.of[2 * i], x.of[2 * i + 1]), sum);
    return sum;
  }
  static __device__ float finished(const Gemv&, std::size_t, float sum) { return sum; }
};

struct W8 {
  static constexpr unsigned columns = 16;
  static __device__ float product(const Gemv&, std::size_t, std::size_t, uint4 w, const Part<columns>& x) {
    const Words all = words(w);
    float sum = 0;
    WARPMARK_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      // A byte b of two's complement is 1152 + b when its sign is turned over.
      const unsigned even = (all.of[i] & 0x00ff00ffU) ^ 0x64806480U;
      const unsigned odd = ((all.of[i] >> 8U) & 0x00ff00ffU) ^ 0x64806480U;
      sum = dot(above(even, 1152), make_float2(x.of[4 * i], x.of[4 * i + 2]), sum);
      sum = dot(above(odd, 1152), make_float2(x.of[4 * i + 1], x.of[4 * i + 3]), sum);
    }
    return sum;
  }
  static __device__ float finished(const Gemv& op, std::size_t row, float sum) {
    return sum * __half2float(static_cast<const __half*>(op.scales)[row]);
  }
};

struct W4 {
  static constexpr unsigned columns = 32;
  static __device__ float product(const Gemv& op, std::size_t row, std::size_t vector, uint4 w,
                                  const Part<columns>& x) {
    const Words all = words(w);
    float sum = 0;
    WARPMARK_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      WARPMARK_UNROLL
      for (unsigned part = 0; part < 4; ++part) {
        const unsigned two = ((all.of[i] >> (4 * part)) & 0x000f000fU) | 0x64006400U;
        const unsigned column = 4 * i + part % 2 * 16 + part / 2;
        sum = dot(above(two, 1032), make_float2(x.of[column], x.of[column + 2]), sum);
      }
    }
    constexpr std::size_t vectors_of_group = warpmark::ops::gemv_group / columns;
    const std::size_t groups = op.columns / warpmark::ops::gemv_group;
    return sum * __half2float(static_cast<const __half*>(op.scales)[row * groups + vector / vectors_of_group]);
  }
  static __device__ float finished(const Gemv&, std::size_t, float sum) { return sum; }
};

/// This warp's rows. The last warp may have fewer: it takes its last one more than once.
template <class Format>
struct Rows {
  __device__ Rows(const Gemv& of, std::size_t first) : op(of), vectors(of.columns / Format::columns) {
    WARPMARK_UNROLL
    for (std::size_t i = 0; i < gemv_warp_rows; ++i) {
      row[i] = first + i < of.rows ? first + i : of.rows - 1;
      sum[i] = 0;
    }
  }

  /// Adds `count` vectors of each row, from `vector` on, every 32nd.
  template <unsigned count>
  __device__ void add(std::size_t vector) {
    uint4 loaded[count][gemv_warp_rows];
    WARPMARK_UNROLL
    for (unsigned u = 0; u < count; ++u) WARPMARK_UNROLL
    for (std::size_t i = 0; i < gemv_warp_rows; ++i)
      loaded[u][i] = __ldcg(static_cast<const uint4*>(op.w) + row[i] * vectors + vector + 32 * u);
    WARPMARK_UNROLL
    for (unsigned u = 0; u < count; ++u) {
      const auto x = part_of_x<Format::columns>(op.x, vector + 32 * u);
      WARPMARK_UNROLL
      for (std::size_t i = 0; i < gemv_warp_rows; ++i)
        sum[i] += Format::product(op, row[i], vector + 32 * u, loaded[u][i], x);
    }
  }

  const Gemv& op;
  std::size_t vectors;  // of a row
  std::size_t row[gemv_warp_rows];
  float sum[gemv_warp_rows];
};

template <class Format>
__device__ void gemv(const Gemv& op) {
  const std::size_t first = std::size_t{blockIdx.x} * gemv_block_rows + threadIdx.x / 32 * gemv_warp_rows;
  if (first >= op.rows) return;
  Rows<Format> rows(op, first);
  std::size_t vector = threadIdx.x % 32;
  for (; vector + 32 * (gemv_unroll - 1) < rows.vectors; vector += 32 * gemv_unroll)
    rows.template add<gemv_unroll>(vector);
  for (; vector < rows.vectors; vector += 32) rows.template add<1>(vector);
  WARPMARK_UNROLL
  for (std::size_t i = 0; i < gemv_warp_rows; ++i) {
    const float sum = fold_warp(rows.sum[i], Add{});
    if (threadIdx.x % 32 == 0 && first + i < op.rows)
      static_cast<__half*>(op.y)[first + i] = __float2half_rn(Format::finished(op, first + i, sum));
  }
}

}  // namespace

#define WARPMARK_GEMV(name, Format)                                                                   \
  extern "C" __global__ void __launch_bounds__(gemv_block_threads) gemv_##name##_f16(const Gemv op) { \
    gemv<Format>(op);                                                                                 \
  }

WARPMARK_GEMV(w16, W16)
WARPMARK_GEMV(w8, W8)
WARPMARK_GEMV(w4, W4)
