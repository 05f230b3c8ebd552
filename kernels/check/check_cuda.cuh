// SPDX-License-Identifier: Apache-2.0
// What the checks' kernels share: a maximum that a NaN always wins, a sum of twice the digits of f64, and elements of
// every type as f64.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstddef>
#include <cstdint>

#include "harness/backends/cuda/grid_fold.cuh"

namespace warpmark::cuda {

struct LargerOrNan {
  __device__ double operator()(double a, double b) const { return a != a || a > b ? a : b; }
};

__device__ inline double as_double(double x) { return x; }
__device__ inline double as_double(float x) { return static_cast<double>(x); }
__device__ inline double as_double(__half x) { return static_cast<double>(__half2float(x)); }
__device__ inline double as_double(__nv_bfloat16 x) { return static_cast<double>(__bfloat162float(x)); }
__device__ inline double as_double(__nv_fp8_e4m3 x) { return static_cast<double>(static_cast<float>(x)); }
__device__ inline double as_double(std::int8_t x) { return static_cast<double>(x); }
__device__ inline double as_double(std::int32_t x) { return static_cast<double>(x); }

// A compiler that made one multiply-add of these two would find another rounding error than theirs.
#ifdef __CUDACC__
__device__ __forceinline__ double rounded_sum(double a, double b) { return __dadd_rn(a, b); }
__device__ __forceinline__ double rounded_product(double a, double b) { return __dmul_rn(a, b); }
#else
inline double rounded_sum(double a, double b) { return a + b; }
inline double rounded_product(double a, double b) { return a * b; }
#endif

/// x + y is the sum, y far below the digits of x.
using LongDouble = double2;

/// The sum of two and what its rounding lost (Knuth).
__device__ inline LongDouble two_sum(double a, double b) {
  const double sum = rounded_sum(a, b);
  const double of_b = rounded_sum(sum, -a);
  const double of_a = rounded_sum(sum, -of_b);
  return make_double2(sum, rounded_sum(rounded_sum(a, -of_a), rounded_sum(b, -of_b)));
}

struct AddLong {
  __device__ LongDouble operator()(LongDouble a, LongDouble b) const {
    const LongDouble high = two_sum(a.x, b.x);
    return two_sum(high.x, rounded_sum(high.y, rounded_sum(a.y, b.y)));
  }
};

/// All digits of a product.
__device__ inline LongDouble two_product(double a, double b) {
  const double product = rounded_product(a, b);
  return make_double2(product, fma(a, b, -product));
}

/// Calls work(i) for this thread's elements of n.
template <class Work>
__device__ void each_of_grid(std::size_t n, const Work& work) {
  const std::size_t step = std::size_t{gridDim.x} * fold_threads;
  for (std::size_t i = std::size_t{blockIdx.x} * fold_threads + threadIdx.x; i < n; i += step) work(i);
}

}  // namespace warpmark::cuda

// One block per SM will do: with registers for several, int8 spilled on one chip.
#define WARPMARK_CHECK_KERNEL extern "C" __global__ void __launch_bounds__(warpmark::cuda::fold_threads, 1)
