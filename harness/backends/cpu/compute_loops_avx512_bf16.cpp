// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {
namespace {

/// chains as in compute_loop.h.
template <std::size_t chains>
double dot_loop(std::size_t rounds) {
  __m512 sums[chains];
  // Each from another number: of equal chains the compiler makes one.
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512i ones = _mm512_set1_epi32(0x3f803f80);  // 1.0 twice: zeros would draw less power than real operands do
  for (std::size_t round = 0; round < rounds; ++round) {
    // The instruction as it is: around the intrinsic g++ 12 copies every register.
#pragma GCC unroll 32
    for (std::size_t i = 0; i < chains; ++i) {
      __m512 sum = sums[i];
      asm("vdpbf16ps %1, %1, %0" : "+v"(sum) : "v"(ones));
      sums[i] = sum;
    }
  }
  __m512 all = sums[0];
  for (std::size_t i = 1; i < chains; ++i) all = _mm512_add_ps(all, sums[i]);
  asm volatile("" : : "v"(all));  // the result must look used, or the loop is dropped
  return 2.0 * 32 * chains * static_cast<double>(rounds);
}

}  // namespace

constinit const ComputeLoops compute_loops_avx512_bf16{.bf16_dot = dot_loop<24>};

}  // namespace warpmark::cpu
