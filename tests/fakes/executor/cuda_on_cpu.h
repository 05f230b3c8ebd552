// SPDX-License-Identifier: Apache-2.0
// What CUDA C++ has and C++ has not, so that g++ compiles a .cu file as it stands: put in front of it by -include.
#pragma once

#include <vector_types.h>
// After NVIDIA's own definitions, which are empty here.
#undef __shared__
#undef __constant__
#undef __launch_bounds__
#undef __forceinline__
#undef __restrict__
#define __forceinline__ inline __attribute__((always_inline))
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector_functions.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// NOLINTBEGIN: the names are CUDA's.
#ifndef __global__
#define __global__
#endif
// Blocks run one after the other, so one object serves them all.
#define __shared__ static
#define __constant__ static
#define __launch_bounds__(...)
#define __restrict__ __restrict

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
constexpr int warpSize = 32;

long long clock64();
void __syncthreads();

namespace warpmark::fakes {
unsigned lane_of_thread();
std::uint64_t exchange_lanes(std::uint32_t mask, std::uint64_t offered, unsigned source);
std::uint32_t vote_lanes(std::uint32_t mask, bool yes);

template <class T>
T shuffle(unsigned mask, T value, unsigned source) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
  std::uint64_t raw = 0;
  std::memcpy(&raw, &value, sizeof value);
  raw = exchange_lanes(mask, raw, source);
  std::memcpy(&value, &raw, sizeof value);
  return value;
}
}  // namespace warpmark::fakes

constexpr unsigned all_lanes_of_a_warp = 0xffffffffU;

inline void __syncwarp(unsigned mask = all_lanes_of_a_warp) { (void)warpmark::fakes::vote_lanes(mask, false); }
inline unsigned __ballot_sync(unsigned mask, int yes) { return warpmark::fakes::vote_lanes(mask, yes != 0); }
inline int __any_sync(unsigned mask, int yes) { return __ballot_sync(mask, yes) != 0; }
inline int __all_sync(unsigned mask, int yes) { return __ballot_sync(mask, !yes) == 0; }
inline unsigned __activemask() { return all_lanes_of_a_warp; }

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  const unsigned lane = warpmark::fakes::lane_of_thread();
  const auto w = static_cast<unsigned>(width);
  return warpmark::fakes::shuffle(mask, value, (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1)));
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
  const unsigned lane = warpmark::fakes::lane_of_thread();
  const auto w = static_cast<unsigned>(width);
  return warpmark::fakes::shuffle(mask, value, (lane & (w - 1)) + by < w ? lane + by : lane);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
  const unsigned lane = warpmark::fakes::lane_of_thread();
  const auto w = static_cast<unsigned>(width);
  return warpmark::fakes::shuffle(mask, value, (lane & (w - 1)) >= by ? lane - by : lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = warpSize) {
  const unsigned lane = warpmark::fakes::lane_of_thread();
  const auto w = static_cast<unsigned>(width);
  const unsigned other = lane ^ static_cast<unsigned>(with);
  return warpmark::fakes::shuffle(mask, value, (other & ~(w - 1)) == (lane & ~(w - 1)) ? other : lane);
}

// Threads take turns only at barriers, so plain reads and writes are atomic.
template <class T>
T atomicExch(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, value);
}
template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, static_cast<T>(*at + value));
}
template <class T>
T atomicSub(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, static_cast<T>(*at - value));
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, std::max(*at, value));
}
template <class T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, std::min(*at, value));
}
template <class T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, static_cast<T>(*at | value));
}
template <class T>
T atomicAnd(T* at, std::type_identity_t<T> value) {
  return std::exchange(*at, static_cast<T>(*at & value));
}
template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  const T old = *at;
  if (old == expected) *at = value;
  return old;
}
/// As the hardware counts: from `last` on to 0.
inline unsigned atomicInc(unsigned* at, unsigned last) { return std::exchange(*at, *at >= last ? 0 : *at + 1); }

// Loads and stores that only say how to cache.
#define WARPMARK_PLAIN_LOAD(name) \
  template <class T>              \
  T name(const T* from) {         \
    return *from;                 \
  }
#define WARPMARK_PLAIN_STORE(name) \
  template <class T>               \
  void name(T* to, T value) {      \
    *to = value;                   \
  }
WARPMARK_PLAIN_LOAD(__ldg)
WARPMARK_PLAIN_LOAD(__ldca)
WARPMARK_PLAIN_LOAD(__ldcg)
WARPMARK_PLAIN_LOAD(__ldcs)
WARPMARK_PLAIN_LOAD(__ldcv)
WARPMARK_PLAIN_LOAD(__ldlu)
WARPMARK_PLAIN_STORE(__stcg)
WARPMARK_PLAIN_STORE(__stcs)
WARPMARK_PLAIN_STORE(__stwb)
WARPMARK_PLAIN_STORE(__stwt)
#undef WARPMARK_PLAIN_LOAD
#undef WARPMARK_PLAIN_STORE

// All threads are one thread of the host's; ThreadSanitizer knows no other fences.
inline void __threadfence() { std::atomic_signal_fence(std::memory_order_seq_cst); }
inline void __threadfence_block() {}
inline void __threadfence_system() { std::atomic_signal_fence(std::memory_order_seq_cst); }
inline void __nanosleep(unsigned /*nanoseconds*/) {}

inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
inline int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
inline float __uint_as_float(unsigned value) { return __builtin_bit_cast(float, value); }
inline float __int_as_float(int value) { return __builtin_bit_cast(float, value); }
inline long long __double_as_longlong(double value) { return __builtin_bit_cast(long long, value); }
inline double __longlong_as_double(long long value) { return __builtin_bit_cast(double, value); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value)); }
inline int __ffs(int value) { return __builtin_ffs(value); }

using std::floor;
using std::max;
using std::min;
// NOLINTEND
