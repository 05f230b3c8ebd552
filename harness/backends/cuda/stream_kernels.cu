// SPDX-License-Identifier: Apache-2.0
// The stream's own kernels: holding it while work is queued, reading its clock, filling operands.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "harness/backends/cuda/device_time.cuh"
#include "harness/backends/cuda/stream_kernels.h"
#include "harness/core/shuffle.h"
#include "harness/core/uniform.h"

using warpmark::cuda::ClockParameters;
using warpmark::cuda::CycleParameters;
using warpmark::cuda::FillParameters;
using warpmark::cuda::HoldParameters;
using warpmark::cuda::nanoseconds_now;

extern "C" __global__ void stream_hold(const HoldParameters p) {
  const std::uint64_t start = nanoseconds_now();
  while (*p.release == 0) {
    if (nanoseconds_now() - start < p.timeout_ns) continue;
    *p.timed_out = 1;
    __threadfence_system();
    return;
  }
}

extern "C" __global__ void stream_clock(const ClockParameters p) {
  const std::uint64_t start = nanoseconds_now();
  // The timer moves in steps of up to a microsecond: begin with one.
  std::uint64_t first = start;
  while (first == start) first = nanoseconds_now();
  const auto clocks = static_cast<std::uint64_t>(clock64());
  std::uint64_t last = first;
  while (last - first < p.least_ns) last = nanoseconds_now();
  // And end with one, or the reading would be of any point within a step.
  const std::uint64_t before = last;
  while (last == before) last = nanoseconds_now();
  p.reading->clocks = static_cast<std::uint64_t>(clock64()) - clocks;
  p.reading->nanoseconds = last - first;
}

namespace {

template <class T>
struct As;
template <>
struct As<double> {
  static __device__ double of(double unit) { return unit; }
};
template <>
struct As<float> {
  static __device__ float of(double unit) { return static_cast<float>(unit); }
};
template <>
struct As<__half> {
  static __device__ __half of(double unit) { return __double2half(unit); }
};
template <>
struct As<__nv_bfloat16> {
  static __device__ __nv_bfloat16 of(double unit) { return __double2bfloat16(unit); }
};
template <>
struct As<__nv_fp8_e4m3> {
  static __device__ __nv_fp8_e4m3 of(double unit) { return __nv_fp8_e4m3(unit); }
};
/// Every value is as likely as any other.
template <>
struct As<std::int8_t> {
  static __device__ std::int8_t of(double unit) { return static_cast<std::int8_t>(floor(unit * 128)); }
};

template <class T>
__device__ void fill(const FillParameters& p) {
  auto* const to = static_cast<T*>(p.to);
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.n; i += step)
    to[i] = As<T>::of(warpmark::uniform(p.seed, i));
}

}  // namespace

extern "C" __global__ void stream_fill_f64(const FillParameters p) { fill<double>(p); }
extern "C" __global__ void stream_fill_f32(const FillParameters p) { fill<float>(p); }
extern "C" __global__ void stream_fill_f16(const FillParameters p) { fill<__half>(p); }
extern "C" __global__ void stream_fill_bf16(const FillParameters p) { fill<__nv_bfloat16>(p); }
extern "C" __global__ void stream_fill_e4m3(const FillParameters p) { fill<__nv_fp8_e4m3>(p); }
extern "C" __global__ void stream_fill_i8(const FillParameters p) { fill<std::int8_t>(p); }

extern "C" __global__ void stream_fill_cycle(const CycleParameters p) {
  auto* const first = static_cast<unsigned char*>(p.to);
  const warpmark::Shuffle order(p.seed, p.nodes);
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; place < p.nodes; place += step) {
    const std::size_t next = place + 1 == p.nodes ? 0 : place + 1;
    *reinterpret_cast<unsigned long long*>(first + order(place) * p.stride_bytes) =
        reinterpret_cast<unsigned long long>(first + order(next) * p.stride_bytes);
  }
}
