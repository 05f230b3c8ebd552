// SPDX-License-Identifier: Apache-2.0
// The kernel of matrix sums, by the instruction that it repeats.
#pragma once

#include "harness/backends/cuda/mma.cuh"
#include "harness/backends/cuda/unroll.cuh"
#include "kernels/compute/matrix.h"
#include "kernels/compute/matrix_cuda.h"

namespace warpmark::cuda {

/// T: an element. Registers of A and B hold words of them, those of C sums.
template <class T, class Word, class Sum, unsigned a_registers, unsigned b_registers, unsigned c_registers>
struct Fragments {
  static constexpr unsigned elements = sizeof(Word) / sizeof(T);  // NOLINT(bugprone-sizeof-expression): f64 is a word
  /// Of one instruction: four lanes have the elements of a row, in each half of A's registers.
  static constexpr unsigned depth = 4 * elements * b_registers;

  Word plus[a_registers];
  Word minus[a_registers];
  Word last[a_registers];  // D - A
  Word b[b_registers];
  Sum sums[matrix_chains][c_registers];

  static __device__ void put(Word& word, unsigned index, int value) {
    const auto element = static_cast<T>(static_cast<float>(value));
    __builtin_memcpy(reinterpret_cast<unsigned char*>(&word) + index * sizeof(T),
                     reinterpret_cast<const unsigned char*>(&element), sizeof element);
  }

  __device__ void start() {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned r = 0; r < a_registers; ++r) {
      for (unsigned e = 0; e < elements; ++e) {
        const int a = ops::matrix_a(3 * lane + 5 * r + e);
        const bool is_first_of_depth = lane % 4 == 0 && e == 0 && r < 2;
        put(plus[r], e, a);
        put(minus[r], e, -a);
        put(last[r], e, (is_first_of_depth ? 1 : 0) - a);
      }
    }
    for (unsigned r = 0; r < b_registers; ++r) {
      for (unsigned e = 0; e < elements; ++e) {
        const bool is_first_of_depth = lane % 4 == 0 && e == 0 && r == 0;
        const int sign = lane / 4 % 2 == 0 ? 1 : -1;
        put(b[r], e, is_first_of_depth ? sign : ops::matrix_b(3 * lane + r + e));
      }
    }
    for (auto& sum : sums)
      for (Sum& each : sum) each = 0;
  }

  template <class Mma>
  __device__ void add(const Word (&a)[a_registers]) {
    WARPMARK_UNROLL for (auto& sum : sums) Mma::multiply(sum, a, b);
  }

  template <class Mma>
  __device__ void add_round() {
    constexpr unsigned steps = ops::matrix_round_products / depth;
    static_assert(steps % 2 == 0);
    WARPMARK_UNROLL for (unsigned step = 0; step < steps; step += 2) {
      add<Mma>(plus);
      if (step + 2 < steps)
        add<Mma>(minus);
      else
        add<Mma>(last);
    }
  }
};

/// Two neighbours of a row.
struct Two {
  float first;
  float second;
};
template <class Sum>
__device__ Two pair_of(const Sum* sums, unsigned pair) {
  return {static_cast<float>(sums[2 * pair]), static_cast<float>(sums[2 * pair + 1])};
}
/// Halves of one register.
__device__ inline Two pair_of(const unsigned* sums, unsigned pair) {
  __half both[2];
  __builtin_memcpy(reinterpret_cast<unsigned char*>(both), sums + pair, sizeof both);
  return {__half2float(both[0]), __half2float(both[1])};
}

template <class Mma, class Registers, unsigned pairs>
__device__ void matrix_sums(const ops::MatrixSums& op) {
  Registers registers;
  registers.start();
  for (std::size_t round = 0; round < op.rounds; ++round) registers.template add_round<Mma>();
  const std::size_t warp = std::size_t{blockIdx.x} * (matrix_block_threads / 32) + threadIdx.x / 32;
  WARPMARK_UNROLL for (unsigned k = 0; k < matrix_chains; ++k) {
    WARPMARK_UNROLL for (unsigned pair = 0; pair < pairs; ++pair) {
      const std::size_t at = 2 * (((warp * matrix_chains + k) * pairs + pair) * 32 + threadIdx.x % 32);
      if (at + 1 >= op.n) continue;
      const Two two = pair_of(registers.sums[k], pair);
      op.c[at] = two.first;
      op.c[at + 1] = two.second;
    }
  }
}

}  // namespace warpmark::cuda

#define WARPMARK_MATRIX_KERNEL extern "C" __global__ void __launch_bounds__(warpmark::cuda::matrix_block_threads)
