// SPDX-License-Identifier: Apache-2.0
// The multiply-add loop, compiled once per instruction set. In an anonymous namespace, because each including file
// makes other code of it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/compute/fma.h"

namespace warpmark::cpu {
namespace {

/// a + b c and a - b c. Of sixteen registers none is left for b: it stays in memory, as the instruction allows, which
/// the compiler would not do.
template <class Vector>
Vector plus_product(Vector a, const Vector& b, Vector c) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  if constexpr (sizeof(a[0]) == sizeof(float)) {
    asm("vfmadd231ps %1, %2, %0" : "+x"(a) : "m"(b), "x"(c));
  } else {
    asm("vfmadd231pd %1, %2, %0" : "+x"(a) : "m"(b), "x"(c));
  }
  return a;
#else
  return a + b * c;
#endif
}
template <class Vector>
Vector minus_product(Vector a, const Vector& b, Vector c) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  if constexpr (sizeof(a[0]) == sizeof(float)) {
    asm("vfnmadd231ps %1, %2, %0" : "+x"(a) : "m"(b), "x"(c));
  } else {
    asm("vfnmadd231pd %1, %2, %0" : "+x"(a) : "m"(b), "x"(c));
  }
  return a;
#else
  return a - b * c;
#endif
}

/// `pairs` vectors of u and as many of v have to fit the registers; and the pairs have to cover latency times issue
/// width (4 x 2 on the cores of today).
template <class T, std::size_t lanes, std::size_t pairs>
void fma_loop(T* u_to, T* v_to, std::size_t first, std::size_t n, std::size_t rounds) {
  using Vector [[gnu::vector_size(lanes * sizeof(T))]] = T;
  constexpr std::size_t tile = lanes * pairs;
  const Vector angle = Vector{} + static_cast<T>(ops::fma_angle);
  for (std::size_t done = 0; done < n; done += tile) {
    // Vectors in arrays that are only ever indexed by constants stay in registers: these are what goes in and comes
    // out.
    alignas(sizeof(Vector)) T u_numbers[tile];
    alignas(sizeof(Vector)) T v_numbers[tile];
    for (std::size_t i = 0; i < tile; ++i) u_numbers[i] = static_cast<T>(ops::fma_start(first + done + i));
    Vector u[pairs];  // not std::array: a template argument loses the vector attribute
    Vector v[pairs];
#pragma GCC unroll 16
    for (std::size_t k = 0; k < pairs; ++k) {
      Vector start;
      __builtin_memcpy(&start, u_numbers + k * lanes, sizeof start);
      u[k] = start;
      v[k] = Vector{} + static_cast<T>(ops::fma_other_start);
    }
    for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
      for (std::size_t k = 0; k < pairs; ++k) u[k] = plus_product(u[k], angle, v[k]);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < pairs; ++k) v[k] = minus_product(v[k], angle, u[k]);
    }
#pragma GCC unroll 16
    for (std::size_t k = 0; k < pairs; ++k) {
      const Vector of_u = u[k];
      const Vector of_v = v[k];
      __builtin_memcpy(u_numbers + k * lanes, &of_u, sizeof of_u);
      __builtin_memcpy(v_numbers + k * lanes, &of_v, sizeof of_v);
    }
    const std::size_t count = std::min(tile, n - done);
    std::copy_n(u_numbers, count, u_to + done);
    std::copy_n(v_numbers, count, v_to + done);
  }
}

}  // namespace
}  // namespace warpmark::cpu
