// SPDX-License-Identifier: Apache-2.0
#include "harness/core/uniform.h"
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language

/// Sums of a warp's rows with each vector: each lane's part of them, then all.
struct Sums {
  double of[freivalds_rows][freivalds_vectors];
};

/// Some rows of a matrix, from a column on.
template <class T>
struct Rows {
  const T* values = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;  // may be more than a warp takes
};

/// sums += rows times the vectors that vector(i, j) tells.
template <class T, class Vector>
__device__ void add_rows(Sums& sums, const Rows<T>& rows, std::size_t columns, const Vector& vector) {
  for (std::size_t j = threadIdx.x % 32; j < columns; j += 32) {
    double v[freivalds_vectors];
    for (std::size_t i = 0; i < freivalds_vectors; ++i) v[i] = vector(i, j);
    for (std::size_t row = 0; row < freivalds_rows; ++row) {
      if (row >= rows.count) continue;
      const double x = as_double(rows.values[row * rows.stride + j]);
      for (std::size_t i = 0; i < freivalds_vectors; ++i) sums.of[row][i] = fma(x, v[i], sums.of[row][i]);
    }
  }
}

__device__ double sign(std::uint64_t seed, std::size_t i) { return warpmark::uniform(seed, i) < 0 ? -1 : 1; }

/// What a warp does at a time.
struct Share {
  std::size_t pair = 0;
  std::size_t slice = 0;
  std::size_t row = 0;
};

/// Calls work(share) for this warp's shares of matrices of so many rows. Every lane comes to each of them.
template <class Work>
__device__ void each_share(const FreivaldsParameters& p, std::size_t rows, const Work& work) {
  constexpr unsigned warps = fold_threads / 32;
  const std::size_t groups = (rows + freivalds_rows - 1) / freivalds_rows;
  const std::size_t all = groups * p.slices * p.op.batch;
  for (std::size_t i = std::size_t{blockIdx.x} * warps + threadIdx.x / 32; i < all; i += std::size_t{gridDim.x} * warps)
    work(Share{.pair = i / groups / p.slices, .slice = i / groups % p.slices, .row = i % groups * freivalds_rows});
}

__device__ std::size_t width_of(const FreivaldsParameters& p, const Share& at) {
  const std::size_t rest = p.op.n - at.slice * p.columns;
  return rest < p.columns ? rest : p.columns;
}

/// A slice of `rows_of_pair` rows that are n wide.
template <class T>
__device__ Rows<T> rows_at(const FreivaldsParameters& p, const Share& at, const void* matrix,
                           std::size_t rows_of_pair) {
  return {.values = static_cast<const T*>(matrix) + (at.pair * rows_of_pair + at.row) * p.op.n + at.slice * p.columns,
          .stride = p.op.n,
          .count = rows_of_pair - at.row};
}

__device__ double* products_at(const FreivaldsParameters& p, const Share& at, std::size_t vector) {
  return p.products + ((at.pair * p.slices + at.slice) * freivalds_vectors + vector) * p.op.k;
}

template <class T>
__device__ void find_products(const FreivaldsParameters& p) {
  each_share(p, p.op.k, [&](const Share& at) {
    Sums sums{};
    const Rows<T> rows = rows_at<T>(p, at, p.op.b, p.op.k);
    add_rows(sums, rows, width_of(p, at), [&](std::size_t i, std::size_t j) { return sign(p.op.seed + i, j); });
    for (std::size_t row = 0; row < freivalds_rows; ++row) {
      for (std::size_t i = 0; i < freivalds_vectors; ++i) {
        const double sum = fold_warp(sums.of[row][i], Add{});
        if (threadIdx.x % 32 == 0 && row < rows.count) products_at(p, at, i)[at.row + row] = sum;
      }
    }
  });
}

template <class T, class Result>
__device__ void find_worst_row(const FreivaldsParameters& p) {
  const LargerOrNan larger{};
  double worst = 0;
  each_share(p, p.op.m, [&](const Share& at) {
    Sums sums{};
    add_rows(sums, rows_at<Result>(p, at, p.op.c, p.op.m), width_of(p, at),
             [&](std::size_t i, std::size_t j) { return sign(p.op.seed + i, j); });
    const Rows<T> a{.values = static_cast<const T*>(p.op.a) + (at.pair * p.op.m + at.row) * p.op.k,
                    .stride = p.op.k,
                    .count = p.op.m - at.row};
    add_rows(sums, a, p.op.k, [&](std::size_t i, std::size_t j) { return -products_at(p, at, i)[j]; });
    for (const auto& of_row : sums.of)
      for (const double sum : of_row) worst = larger(fabs(fold_warp(sum, Add{})), worst);
  });
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, larger, all) && threadIdx.x == 0) *p.op.out = all;
}

}  // namespace

#define WARPMARK_FREIVALDS(name, T, Result)                                                                   \
  WARPMARK_CHECK_KERNEL check_freivalds_products_##name(const FreivaldsParameters p) { find_products<T>(p); } \
  WARPMARK_CHECK_KERNEL check_freivalds_rows_##name(const FreivaldsParameters p) { find_worst_row<T, Result>(p); }

WARPMARK_FREIVALDS(f64, double, double)
WARPMARK_FREIVALDS(f32, float, float)
WARPMARK_FREIVALDS(f16, __half, __half)
WARPMARK_FREIVALDS(bf16, __nv_bfloat16, __nv_bfloat16)
WARPMARK_FREIVALDS(e4m3, __nv_fp8_e4m3, __nv_bfloat16)
WARPMARK_FREIVALDS(i8, std::int8_t, std::int32_t)
