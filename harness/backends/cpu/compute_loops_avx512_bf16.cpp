// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {
namespace {

constexpr std::size_t chains = 24;

double dot_loop(std::size_t rounds) {
  __m512 sums[chains];
  // Each from another number: of equal chains the compiler makes one.
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512i ones = _mm512_set1_epi32(0x3f803f80);  // 1.0 twice: zeros would draw less power than real operands do
  auto a = reinterpret_cast<__m512bh>(ones);
  auto b = a;
  asm volatile("" : "+v"(a), "+v"(b));  // values that the compiler does not know of
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (auto& sum : sums) sum = _mm512_dpbf16_ps(sum, a, b);
  }
  asm volatile("" : : "m"(sums));
  return 2.0 * 32 * chains * static_cast<double>(rounds);
}

}  // namespace

constinit const ComputeLoops compute_loops_avx512_bf16{.bf16_dot = dot_loop};

}  // namespace warpmark::cpu
