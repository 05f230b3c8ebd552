// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
using warpmark::ops::fma_starts;

/// How a type computes: `Wide` holds its products and sums, which `rounded` brings back to it.
struct F64 {
  using Element = double;
  static constexpr double epsilon = 0x1p-52;
  static __device__ double fused(double a, double b, double c) { return fma(a, b, c); }
};
struct F32 {
  using Element = float;
  static constexpr double epsilon = 0x1p-23;
  static __device__ float fused(float a, float b, float c) { return fmaf(a, b, c); }
};
struct F16 {
  using Element = __half;
  static constexpr double epsilon = 0x1p-10;
  // f64 holds product and sum of two such numbers, so this rounds once.
  static __device__ __half fused(__half a, __half b, __half c) {
    return __double2half(as_double(a) * as_double(b) + as_double(c));
  }
};
struct Bf16 {
  using Element = __nv_bfloat16;
  static constexpr double epsilon = 0x1p-7;
  static __device__ __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __double2bfloat16(as_double(a) * as_double(b) + as_double(c));
  }
};

template <class Type>
__device__ typename Type::Element of(double x) {
  return typename Type::Element(static_cast<float>(x));
}

template <class T>
struct Pairs {
  T u[fma_starts];
  T v[fma_starts];
};

template <class Type>
__device__ void turn(Pairs<typename Type::Element>& pairs, std::size_t rounds) {
  if (threadIdx.x >= fma_starts) return;
  const auto angle = of<Type>(warpmark::ops::fma_angle);
  const auto minus_angle = of<Type>(-warpmark::ops::fma_angle);
  auto u = of<Type>(warpmark::ops::fma_start(threadIdx.x));
  auto v = of<Type>(warpmark::ops::fma_other_start);
  for (std::size_t round = 0; round < rounds; ++round) {
    u = Type::fused(angle, v, u);
    v = Type::fused(minus_angle, u, v);
  }
  pairs.u[threadIdx.x] = u;
  pairs.v[threadIdx.x] = v;
}

__device__ void turn_integers(Pairs<std::int32_t>& pairs, std::size_t rounds) {
  if (threadIdx.x >= fma_starts) return;
  unsigned u = threadIdx.x + 1;
  unsigned v = 3;
  for (std::size_t round = 0; round < rounds; ++round) {
    u += warpmark::ops::fma_factor * v;
    v -= warpmark::ops::fma_factor * u;
  }
  pairs.u[threadIdx.x] = static_cast<std::int32_t>(u);
  pairs.v[threadIdx.x] = static_cast<std::int32_t>(v);
}

template <class T>
__device__ double off(const void* got, std::size_t i, T want) {
  return fabs(as_double(static_cast<const T*>(got)[i]) - as_double(want));
}

template <class T>
__device__ void compare(const TurnedParameters& p, const Pairs<T>& right, double epsilon) {
  __syncthreads();
  const LargerOrNan larger{};
  double worst = 0;
  each_of_grid(p.op.n, [&](std::size_t i) {
    worst = larger(off(p.op.u, i, right.u[i % fma_starts]) / epsilon, worst);
    worst = larger(off(p.op.v, i, right.v[i % fma_starts]) / epsilon, worst);
  });
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, larger, all) && threadIdx.x == 0) *p.op.out = all;
}

template <class Type>
__device__ void check(const TurnedParameters& p) {
  __shared__ Pairs<typename Type::Element> right;
  turn<Type>(right, p.op.rounds);
  compare(p, right, Type::epsilon);
}

}  // namespace

WARPMARK_CHECK_KERNEL check_turned_f64(const TurnedParameters p) { check<F64>(p); }
WARPMARK_CHECK_KERNEL check_turned_f32(const TurnedParameters p) { check<F32>(p); }
WARPMARK_CHECK_KERNEL check_turned_f16(const TurnedParameters p) { check<F16>(p); }
WARPMARK_CHECK_KERNEL check_turned_bf16(const TurnedParameters p) { check<Bf16>(p); }
WARPMARK_CHECK_KERNEL check_turned_i32(const TurnedParameters p) {
  __shared__ Pairs<std::int32_t> right;
  turn_integers(right, p.op.rounds);
  compare(p, right, 1);
}
