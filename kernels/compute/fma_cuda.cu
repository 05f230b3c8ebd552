// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/fma_cuda.cuh"
#include "kernels/compute/fma_cuda.h"

namespace {

using warpmark::cuda::fma_block_threads;
using warpmark::cuda::fma_chains;
using warpmark::cuda::multiply_add;
using warpmark::cuda::Register;
using warpmark::ops::Fma;

/// The numbers of a register, as far as there are so many pairs.
template <class R>
__device__ void store(void* array, std::size_t pair, std::size_t n, R all) {
  auto* const to = static_cast<typename Register<R>::Element*>(array) + pair;
  if (pair + Register<R>::lanes <= n) {
    *reinterpret_cast<R*>(to) = all;
  } else if (pair < n) {
    *to = Register<R>::first(all);
  }
}

template <class R>
__device__ void turn(const Fma& op) {
  const std::size_t first = std::size_t{blockIdx.x} * fma_chains * fma_block_threads + threadIdx.x;
  const auto pair_of = [first](unsigned k) {
    return (first + std::size_t{k} * fma_block_threads) * Register<R>::lanes;
  };
  R u[fma_chains];
  R v[fma_chains];
  for (unsigned k = 0; k < fma_chains; ++k) {
    u[k] = Register<R>::start(pair_of(k));
    v[k] = Register<R>::other_start();
  }
  const R angle = Register<R>::angle();
  const R minus_angle = Register<R>::minus_angle();
  // 256 multiply-adds to a jump and what it asks for.
  WARPMARK_UNROLL_32 for (std::size_t round = 0; round < op.rounds; ++round) {
    for (unsigned k = 0; k < fma_chains; ++k) u[k] = multiply_add(angle, v[k], u[k]);
    for (unsigned k = 0; k < fma_chains; ++k) v[k] = multiply_add(minus_angle, u[k], v[k]);
  }
  for (unsigned k = 0; k < fma_chains; ++k) {
    store(op.u, pair_of(k), op.n, u[k]);
    store(op.v, pair_of(k), op.n, v[k]);
  }
}

}  // namespace

#define WARPMARK_FMA_KERNEL extern "C" __global__ void __launch_bounds__(fma_block_threads)

WARPMARK_FMA_KERNEL compute_fma_f64(const Fma op) { turn<double>(op); }
WARPMARK_FMA_KERNEL compute_fma_f32(const Fma op) { turn<float>(op); }
WARPMARK_FMA_KERNEL compute_fma_f16(const Fma op) { turn<__half2>(op); }
WARPMARK_FMA_KERNEL compute_fma_bf16(const Fma op) { turn<__nv_bfloat162>(op); }
WARPMARK_FMA_KERNEL compute_fma_i32(const Fma op) { turn<unsigned>(op); }
