// SPDX-License-Identifier: Apache-2.0
// The triad loop, compiled once per instruction set. In an anonymous namespace, because each including file makes other
// code of it.
#pragma once

#include <cstddef>

#include "kernels/memory/triad_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpmark::cpu {
namespace {

template <std::size_t bytes>
struct F64Vector {
  using Type [[gnu::vector_size(bytes)]] = double;
};

template <std::size_t bytes>
typename F64Vector<bytes>::Type load(const double* from) {
  typename F64Vector<bytes>::Type value;
  __builtin_memcpy(&value, from, bytes);
  return value;
}

struct OrdinaryStore {
  template <class Vector>
  static void store(double* to, Vector value) {
    __builtin_memcpy(to, &value, sizeof value);
  }
  static void finish() {}
};

#if defined(__x86_64__)
/// Past the caches: saves reading the line that is overwritten. `to` is aligned to the vector.
struct NonTemporalStore {
  template <class Vector>
  static void store(double* to, Vector value) {
    if constexpr (sizeof value == 16) _mm_stream_pd(to, value);
#if defined(__AVX2__)
    if constexpr (sizeof value == 32) _mm256_stream_pd(to, value);
#endif
#if defined(__AVX512F__)
    if constexpr (sizeof value == 64) _mm512_stream_pd(to, value);
#endif
  }
  static void finish() { _mm_sfence(); }  // the stores have to be seen before the launch counts as done
};
#endif

template <std::size_t bytes, class Store>
void triad_loop(double* __restrict a, const double* __restrict b, const double* __restrict c, double s, std::size_t n,
                std::size_t passes) {
  constexpr std::size_t lanes = bytes / sizeof(double);
  constexpr std::size_t stride = 4 * lanes;  // four vectors in flight: one address computation for all
  const typename F64Vector<bytes>::Type factor = typename F64Vector<bytes>::Type{} + s;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + stride <= n; i += stride) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < stride; k += lanes)
        Store::store(a + i + k, load<bytes>(b + i + k) + factor * load<bytes>(c + i + k));
    }
    for (; i < n; ++i) a[i] = b[i] + s * c[i];
    asm volatile("" : : : "memory");  // every pass is done, though it writes what the last one wrote
  }
  Store::finish();
}

}  // namespace
}  // namespace warpmark::cpu
