// SPDX-License-Identifier: Apache-2.0
// The gemv loops, compiled once per instruction set. In an anonymous namespace, because each including file makes other
// code of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemv/gemv_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpmark::cpu {
namespace {

template <class T, std::size_t lanes>
struct LanesOf {
  using Type [[gnu::vector_size(sizeof(T) * lanes)]] = T;
};
template <class T, std::size_t lanes>
using Vector = typename LanesOf<T, lanes>::Type;
template <std::size_t lanes>
using Floats = Vector<float, lanes>;

template <class V>
V load(const void* from) {
  V value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

/// Numbers of f16 that are none of those without an end.
template <std::size_t lanes>
Floats<lanes> floats_of_f16(const std::uint16_t* from) {
#if defined(__AVX512F__)
  if constexpr (lanes == 16) return _mm512_maskz_cvtph_ps(0xffff, load<__m256i>(from));
#endif
#if defined(__F16C__)
  if constexpr (lanes == 8) return _mm256_cvtph_ps(load<__m128i>(from));
#endif
  const auto wide = __builtin_convertvector(load<Vector<std::uint16_t, lanes>>(from), Vector<std::uint32_t, lanes>);
  // The exponents of f32 begin 112 lower: the multiplication lifts normal numbers and subnormal ones alike.
  const auto size = __builtin_bit_cast(Floats<lanes>, (wide & 0x7fffU) << 13U) * 0x1p112F;
  return __builtin_bit_cast(Floats<lanes>,
                            __builtin_bit_cast(Vector<std::uint32_t, lanes>, size) | ((wide & 0x8000U) << 16U));
}

/// Of sixteen numbers those from `first` on.
template <std::size_t lanes>
Floats<lanes> floats_of_i8(Vector<std::int8_t, 16> all, std::size_t first) {
#if defined(__AVX512F__)
  if constexpr (lanes == 16)
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, __builtin_bit_cast(__m128i, all)));
#endif
#if defined(__AVX2__)
  if constexpr (lanes == 8) {
    const auto bits = __builtin_bit_cast(__m128i, all);
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(first == 0 ? bits : _mm_srli_si128(bits, 8)));
  }
#endif
  // Step by step: g++ 12 makes one number at a time of a conversion that skips widths.
  Vector<std::int8_t, lanes> some;
  __builtin_memcpy(&some, reinterpret_cast<const std::int8_t*>(&all) + first, sizeof some);
  const auto of_16_bits = __builtin_convertvector(some, Vector<std::int16_t, lanes>);
  return __builtin_convertvector(__builtin_convertvector(of_16_bits, Vector<std::int32_t, lanes>), Floats<lanes>);
}

/// sum += sixteen numbers times x.
template <std::size_t lanes>
void add_sixteen(Vector<std::int8_t, 16> numbers, const float* x, Floats<lanes>& sum) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 16; i += lanes) sum += floats_of_i8<lanes>(numbers, i) * load<Floats<lanes>>(x + i);
}

/// sum += 32 numbers of four bits, 8 too large, times x: bytes have a column in their low half and in their high half
/// that which is sixteen further on.
template <std::size_t lanes>
void add_nibbles(const std::uint8_t* from, const float* x, Floats<lanes>& sum) {
#if defined(__AVX512F__)
  if constexpr (lanes == 16) {
    // A permutation looks at four bits of each index, and is there for all of them at once.
    const __m512 values = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i both = _mm512_maskz_cvtepu8_epi32(0xffff, load<__m128i>(from));
    const __m512i high = _mm512_maskz_srli_epi32(0xffff, both, 4);
    sum += _mm512_maskz_permutexvar_ps(0xffff, both, values) * load<Floats<16>>(x);
    sum += _mm512_maskz_permutexvar_ps(0xffff, high, values) * load<Floats<16>>(x + 16);
    return;
  }
#endif
  using Bytes = Vector<std::uint8_t, 16>;
  const auto both = load<Bytes>(from);
  const Bytes low = (both & std::uint8_t{15}) - std::uint8_t{8};
  const Bytes high = (both >> std::uint8_t{4}) - std::uint8_t{8};
  add_sixteen<lanes>(__builtin_bit_cast(Vector<std::int8_t, 16>, low), x, sum);
  add_sixteen<lanes>(__builtin_bit_cast(Vector<std::int8_t, 16>, high), x + 16, sum);
}

template <std::size_t lanes>
float added(Floats<lanes> v) {
  float sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum += v[i];
  return sum;
}

// What 32 columns of a row add to a vector of sums, and what becomes of the sums of gemv_group columns and of a row.
template <std::size_t lanes>
struct W16 {
  static void add(const ops::Gemv& op, std::size_t at, const float* x, Floats<lanes>& sum) {
    const auto* const w = static_cast<const std::uint16_t*>(op.w) + at;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 32; i += lanes) sum += floats_of_f16<lanes>(w + i) * load<Floats<lanes>>(x + i);
  }
  static float of_group(const ops::Gemv&, std::size_t) { return 1; }
  static float of_row(const ops::Gemv&, std::size_t) { return 1; }
};

template <std::size_t lanes>
struct W8 {
  static void add(const ops::Gemv& op, std::size_t at, const float* x, Floats<lanes>& sum) {
    const auto* const w = static_cast<const std::int8_t*>(op.w) + at;
    add_sixteen<lanes>(load<Vector<std::int8_t, 16>>(w), x, sum);
    add_sixteen<lanes>(load<Vector<std::int8_t, 16>>(w + 16), x + 16, sum);
  }
  static float of_group(const ops::Gemv&, std::size_t) { return 1; }
  static float of_row(const ops::Gemv& op, std::size_t row) { return static_cast<const float*>(op.scales)[row]; }
};

template <std::size_t lanes>
struct W4 {
  static void add(const ops::Gemv& op, std::size_t at, const float* x, Floats<lanes>& sum) {
    add_nibbles<lanes>(static_cast<const std::uint8_t*>(op.w) + at / 2, x, sum);
  }
  static float of_group(const ops::Gemv& op, std::size_t at) {
    return static_cast<const float*>(op.scales)[at / ops::gemv_group];
  }
  static float of_row(const ops::Gemv&, std::size_t) { return 1; }
};

/// Rows side by side, so that no multiply-add waits for the one before; what is loaded of x serves all of them.
template <class Format, std::size_t lanes, std::size_t count>
void rows_loop(const ops::Gemv& op, std::size_t row) {
  const auto* const x = static_cast<const float*>(op.x);
  Floats<lanes> sums[count] = {};
  for (std::size_t column = 0; column < op.columns; column += ops::gemv_group) {
    Floats<lanes> of_group[count] = {};
#pragma GCC unroll 4
    for (std::size_t j = column; j < column + ops::gemv_group; j += 32) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < count; ++i) Format::add(op, (row + i) * op.columns + j, x + j, of_group[i]);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i)
      sums[i] += of_group[i] * Format::of_group(op, (row + i) * op.columns + column);
  }
  for (std::size_t i = 0; i < count; ++i)
    static_cast<float*>(op.y)[row + i] = added<lanes>(sums[i]) * Format::of_row(op, row + i);
}

template <class Format, std::size_t lanes>
void gemv_loop(const ops::Gemv& op, std::size_t begin, std::size_t end) {
  constexpr std::size_t at_once = 4;
  std::size_t row = begin;
  for (; row + at_once <= end; row += at_once) rows_loop<Format, lanes, at_once>(op, row);
  for (; row < end; ++row) rows_loop<Format, lanes, 1>(op, row);
}

template <std::size_t lanes>
constexpr GemvLoops gemv_loops_of() {
  return {.w16 = gemv_loop<W16<lanes>, lanes>, .w8 = gemv_loop<W8<lanes>, lanes>, .w4 = gemv_loop<W4<lanes>, lanes>};
}

}  // namespace
}  // namespace warpmark::cpu
