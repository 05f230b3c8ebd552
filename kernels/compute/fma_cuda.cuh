// SPDX-License-Identifier: Apache-2.0
// One multiply-add, rounded once, of every type that a register holds. Packed ones are instructions that only a GPU
// has; a simulated one computes each half by itself.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/compute/fma.h"

namespace warpmark::cuda {

__device__ inline double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ inline float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline unsigned multiply_add(unsigned a, unsigned b, unsigned c) { return a * b + c; }
#ifdef __CUDACC__
#define WARPMARK_UNROLL_32 _Pragma("unroll 32")
__device__ inline __half2 multiply_add(__half2 a, __half2 b, __half2 c) { return __hfma2(a, b, c); }
__device__ inline __nv_bfloat162 multiply_add(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  __trap();  // whoever launches such a kernel is to ask first
  return c;
#else
  return __hfma2(a, b, c);
#endif
}
#else
#define WARPMARK_UNROLL_32
// Of eleven digits at most: f64 holds product and sum of such numbers of like size, so it is rounded once.
inline __half rounded(double exact, __half) { return __double2half(exact); }
inline __nv_bfloat16 rounded(double exact, __nv_bfloat16) { return __double2bfloat16(exact); }
template <class T>
T fused(T a, T b, T c) {
  const auto wide = [](T x) { return static_cast<double>(static_cast<float>(x)); };
  return rounded(wide(a) * wide(b) + wide(c), T{});
}
template <class Both>
Both fused_both(const Both& a, const Both& b, const Both& c) {
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
}
inline __half2 multiply_add(const __half2& a, const __half2& b, const __half2& c) { return fused_both(a, b, c); }
inline __nv_bfloat162 multiply_add(const __nv_bfloat162& a, const __nv_bfloat162& b, const __nv_bfloat162& c) {
  return fused_both(a, b, c);
}
#endif

/// What a register holds, and the numbers that it starts with.
template <class T>
struct Register {
  using Element = T;
  static constexpr unsigned lanes = 1;
  static __device__ T start(std::size_t pair) { return static_cast<T>(ops::fma_start(pair)); }
  static __device__ T other_start() { return static_cast<T>(ops::fma_other_start); }
  static __device__ T angle() { return static_cast<T>(ops::fma_angle); }
  static __device__ T minus_angle() { return static_cast<T>(-ops::fma_angle); }
  static __device__ T first(T all) { return all; }
};
template <>
struct Register<unsigned> {
  using Element = unsigned;
  static constexpr unsigned lanes = 1;
  static __device__ unsigned start(std::size_t pair) { return static_cast<unsigned>(pair % ops::fma_starts) + 1; }
  static __device__ unsigned other_start() { return 3; }
  static __device__ unsigned angle() { return ops::fma_factor; }
  static __device__ unsigned minus_angle() { return 0U - ops::fma_factor; }
  static __device__ unsigned first(unsigned all) { return all; }
};
template <class Both, class One>
struct PackedRegister {
  using Element = One;
  static constexpr unsigned lanes = 2;
  static __device__ One narrow(double x) { return One(static_cast<float>(x)); }
  static __device__ Both twice(double x) { return Both(narrow(x), narrow(x)); }
  static __device__ Both start(std::size_t pair) {
    return Both(narrow(ops::fma_start(pair)), narrow(ops::fma_start(pair + 1)));
  }
  static __device__ Both other_start() { return twice(ops::fma_other_start); }
  static __device__ Both angle() { return twice(ops::fma_angle); }
  static __device__ Both minus_angle() { return twice(-ops::fma_angle); }
  static __device__ One first(Both all) { return all.x; }
};
template <>
struct Register<__half2> : PackedRegister<__half2, __half> {};
template <>
struct Register<__nv_bfloat162> : PackedRegister<__nv_bfloat162, __nv_bfloat16> {};

}  // namespace warpmark::cuda
