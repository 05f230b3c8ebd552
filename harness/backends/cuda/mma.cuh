// SPDX-License-Identifier: Apache-2.0
// The matrix unit's instructions by type. The one place that has them, so that a simulated device can do the same by
// the warp's shuffles.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

namespace warpmark::cuda {

// In all of them, of lane 4 g + t: a register of A has elements of row g (even registers) or g + 8 (odd ones), one of B
// of column g; where t is 0 the first element of A's first two registers, and of B's first, is the first of the depth.
// A register has E elements side by side; lane t and register half h begin at E (4 h + t). Of the results, c[i] is in
// row g + 8 (i / 2) and column 2 t + i % 2.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 && !defined(WARPMARK_PTX_FOR_OLD_DRIVERS)
struct MmaE4m3 {
  static __device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
#elif defined(__CUDACC__)
/// Whoever launches such a kernel is to ask first. Drivers before CUDA 12.4 know no PTX of it.
struct MmaE4m3 {
  template <class C, class A, class B>
  static __device__ void multiply(C&, const A&, const B&) {
    __trap();
  }
};
#endif

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)
#define WARPMARK_MATRIX(name, shape, type, sum, constraint)                                                            \
  struct name {                                                                                                        \
    static __device__ __forceinline__ void multiply(sum (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {     \
      asm volatile("mma.sync.aligned." shape ".row.col." type " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                   : "+" constraint(c[0]), "+" constraint(c[1]), "+" constraint(c[2]), "+" constraint(c[3])            \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                                \
    }                                                                                                                  \
  };
WARPMARK_MATRIX(MmaF16, "m16n8k16", "f32.f16.f16.f32", float, "f")
WARPMARK_MATRIX(MmaBf16, "m16n8k16", "f32.bf16.bf16.f32", float, "f")
WARPMARK_MATRIX(MmaTf32, "m16n8k8", "f32.tf32.tf32.f32", float, "f")
WARPMARK_MATRIX(MmaI8, "m16n8k32", "s32.s8.s8.s32", int, "r")
#undef WARPMARK_MATRIX

struct MmaF16Acc16 {
  static __device__ __forceinline__ void multiply(unsigned (&c)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct MmaF64 {
  static __device__ __forceinline__ void multiply(double (&c)[2], const double (&a)[1], const double (&b)[1]) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a[0]), "d"(b[0]));
  }
};
#elif defined(__CUDACC__)
/// Whoever launches such a kernel is to ask first.
struct NoMma {
  template <class C, class A, class B>
  static __device__ void multiply(C&, const A&, const B&) {
    __trap();
  }
};
using MmaF16 = NoMma;
using MmaBf16 = NoMma;
using MmaTf32 = NoMma;
using MmaI8 = NoMma;
using MmaF16Acc16 = NoMma;
using MmaF64 = NoMma;
#else
// A simulated device.
template <class T>
double element_of(std::uint64_t word, unsigned index) {
  T element;
  word >>= 8 * sizeof(T) * index;
  __builtin_memcpy(static_cast<void*>(&element), &word, sizeof element);
  if constexpr (sizeof(T) == sizeof(double) || std::is_integral_v<T>) {
    return static_cast<double>(element);
  } else {
    return static_cast<double>(static_cast<float>(element));
  }
}

/// What the lane's results gain by one word of each of its two rows and columns.
template <class T, class Word>
void add_words(double (&gain)[4], const Word (&rows)[2], const Word (&columns)[2]) {
  constexpr unsigned elements = sizeof(Word) / sizeof(T);  // NOLINT(bugprone-sizeof-expression): f64 is a word
  std::uint64_t row_bits[2]{};
  std::uint64_t column_bits[2]{};
  for (int i = 0; i < 2; ++i) {
    __builtin_memcpy(&row_bits[i], &rows[i], sizeof(Word));
    __builtin_memcpy(&column_bits[i], &columns[i], sizeof(Word));
  }
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned e = 0; e < elements; ++e)
      gain[i] += element_of<T>(row_bits[i / 2], e) * element_of<T>(column_bits[i % 2], e);
}

/// By all of its rows and columns, whose words other lanes have. `registers` of A, half as many of B.
template <class T, unsigned registers, class Word>
void products(double (&gain)[4], const Word (&a)[registers], const Word* b) {
  constexpr unsigned halves = registers == 1 ? 1 : registers / 2;
  const int group = static_cast<int>(threadIdx.x % 32 / 4);
  const int place = static_cast<int>(threadIdx.x % 4);
  for (double& each : gain) each = 0;
  for (unsigned half = 0; half < halves; ++half) {
    for (int from = 0; from < 4; ++from) {
      Word rows[2];
      Word columns[2];
      for (int r = 0; r < 2; ++r)
        rows[r] = __shfl_sync(~0U, a[registers == 1 ? 0 : 2 * half + static_cast<unsigned>(r)], group * 4 + from);
      for (int j = 0; j < 2; ++j) columns[j] = __shfl_sync(~0U, b[half], (2 * place + j) * 4 + from);
      add_words<T>(gain, rows, columns);
    }
  }
}

template <class T, class Sum>
struct Mma {
  static void multiply(Sum (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    double gain[4];
    products<T>(gain, a, b);
    for (int i = 0; i < 4; ++i) c[i] = static_cast<Sum>(static_cast<double>(c[i]) + gain[i]);
  }
};
using MmaF16 = Mma<__half, float>;
using MmaBf16 = Mma<__nv_bfloat16, float>;
using MmaTf32 = Mma<float, float>;
using MmaI8 = Mma<std::int8_t, int>;
using MmaE4m3 = Mma<__nv_fp8_e4m3, float>;

struct MmaF16Acc16 {
  static void multiply(unsigned (&c)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
    double gain[4];
    products<__half>(gain, a, b);
    for (unsigned i = 0; i < 2; ++i) {
      const __half sums[2] = {__double2half(element_of<__half>(c[i], 0) + gain[2 * i]),
                              __double2half(element_of<__half>(c[i], 1) + gain[2 * i + 1])};
      __builtin_memcpy(&c[i], static_cast<const void*>(sums), sizeof c[i]);
    }
  }
};
struct MmaF64 {
  static void multiply(double (&c)[2], const double (&a)[1], const double (&b)[1]) {
    double gain[4];
    products<double>(gain, a, b);
    for (int i = 0; i < 2; ++i) c[i] += gain[i];
  }
};
#endif

}  // namespace warpmark::cuda
