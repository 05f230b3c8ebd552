// SPDX-License-Identifier: Apache-2.0
// Matrix sums by the instructions that add short dot products to the lanes of a vector. In an anonymous namespace,
// because each including file makes other code of it.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "kernels/compute/matrix.h"

namespace warpmark::cpu {
namespace {

inline constexpr std::size_t lanes = 16;
/// As many sums as registers leave room for: they cover latency times issue width (4 x 2 on the cores of today).
inline constexpr std::size_t chains = 24;

/// Every lane has a row of A, D - A and B of its own, of as many elements as the instruction takes: sizeof(int) / T.
template <class T>
struct Dots {
  static constexpr std::size_t depth = sizeof(int) / sizeof(T);
  T plus[lanes * depth];
  T minus[lanes * depth];
  T last[lanes * depth];
  T b[lanes * depth];

  /// D is 1 or -1 at the first element of a lane, where B is 1. `least_b` makes the others of B no negative number, for
  /// instructions that take none.
  template <class Narrow>
  Dots(const Narrow& narrow, int least_b) {
    for (std::size_t i = 0; i < lanes * depth; ++i) {
      const bool is_first = i % depth == 0;
      const int sign = i / depth % 2 == 0 ? 1 : -1;
      plus[i] = narrow(ops::matrix_a(i));
      minus[i] = narrow(-ops::matrix_a(i));
      last[i] = narrow((is_first ? sign : 0) - ops::matrix_a(i));
      b[i] = narrow(is_first ? 1 : ops::matrix_b(i) - least_b);
    }
  }
};

inline __m512i vector_of(const void* numbers) { return _mm512_loadu_si512(numbers); }

/// The operands in registers.
struct Operands {
  __m512i plus;
  __m512i minus;
  __m512i last;
  __m512i b;
};

/// `Add` adds dot products to a vector of sums; `to_f32` makes f32 of it.
template <class Add, class Sums>
void add_all(Sums (&sums)[chains], const __m512i& a, const __m512i& b) {
#pragma GCC unroll 24
  for (Sums& each : sums) each = Add::add(each, a, b);
}

template <class Add, class Sums>
void add_round(Sums (&sums)[chains], const Operands& operands, std::size_t pairs) {
  for (std::size_t pair = 1; pair < pairs; ++pair) {
    add_all<Add>(sums, operands.plus, operands.b);
    add_all<Add>(sums, operands.minus, operands.b);
  }
  add_all<Add>(sums, operands.plus, operands.b);
  add_all<Add>(sums, operands.last, operands.b);
}

template <class Add, class Sums, class T>
void sum_up(const Dots<T>& dots, float* c, std::size_t n, std::size_t rounds) {
  constexpr std::size_t pairs = ops::matrix_round_products / Dots<T>::depth / 2;
  const Operands operands{.plus = vector_of(dots.plus),
                          .minus = vector_of(dots.minus),
                          .last = vector_of(dots.last),
                          .b = vector_of(dots.b)};
  for (std::size_t done = 0; done < n; done += lanes * chains) {
    Sums sums[chains]{};
    for (std::size_t round = 0; round < rounds; ++round) add_round<Add>(sums, operands, pairs);
    float results[lanes * chains];
#pragma GCC unroll 24
    for (std::size_t k = 0; k < chains; ++k) _mm512_storeu_ps(results + k * lanes, Add::to_f32(sums[k]));
    std::copy_n(results, std::min(lanes * chains, n - done), c + done);
  }
}

}  // namespace
}  // namespace warpmark::cpu
