// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {
namespace {

constexpr std::size_t chains = 24;

double dot_loop(std::size_t rounds) {
  __m512i sums[chains];
  // Each from another number: of equal chains the compiler makes one.
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_set1_epi32(static_cast<int>(i));
  __m512i a = _mm512_set1_epi8(1);  // zeros would draw less power than real operands do
  __m512i b = a;
  asm volatile("" : "+v"(a), "+v"(b));  // values that the compiler does not know of
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (auto& sum : sums) sum = _mm512_dpbusd_epi32(sum, a, b);
  }
  asm volatile("" : : "m"(sums));
  return 2.0 * 64 * chains * static_cast<double>(rounds);
}

}  // namespace

constinit const ComputeLoops compute_loops_avx512_vnni{.i8_dot = dot_loop};

}  // namespace warpmark::cpu
