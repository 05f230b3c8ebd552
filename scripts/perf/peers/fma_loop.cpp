// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: multiply-adds on as many accumulators as the registers hold, on every core.
// Usage: fma_loop f32|f64|bf16|i8 (the last two are dot products of two and four, where the compiler was told of them).
// Prints the median rate over about a second.
// Build: g++ -O3 -march=native -fopenmp fma_loop.cpp -o fma_loop (and with -mno-avx512f for AVX2)
#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

#if defined(__AVX512F__)
constexpr int accumulators = 24;
using F32 = __m512;
using F64 = __m512d;
F32 fma(F32 a, F32 b, F32 c) { return _mm512_fmadd_ps(a, b, c); }
F64 fma(F64 a, F64 b, F64 c) { return _mm512_fmadd_pd(a, b, c); }
#else
constexpr int accumulators = 12;
using F32 = __m256;
using F64 = __m256d;
F32 fma(F32 a, F32 b, F32 c) { return _mm256_fmadd_ps(a, b, c); }
F64 fma(F64 a, F64 b, F64 c) { return _mm256_fmadd_pd(a, b, c); }
#endif

constexpr long iterations = 1'000'000;

/// Calls step(sum) on every accumulator, over and over.
template <class Vector, class Step>
void run(Vector& result, const Step& step) {
  Vector sums[accumulators];
  for (int i = 0; i < accumulators; ++i) sums[i] = Vector{} + static_cast<float>(i);
  for (long n = 0; n < iterations; ++n) {
#pragma GCC unroll 24
    for (int i = 0; i < accumulators; ++i) sums[i] = step(sums[i]);
  }
  result = sums[0];
  for (int i = 1; i < accumulators; ++i) result += sums[i];
}

struct OfF32 {
  using Vector = F32;
  static constexpr double products = sizeof(Vector) / sizeof(float);
  static void work(Vector& result) {
    const F32 factor = F32{} + 0.9375F;
    const F32 term = F32{} + 0.12F;
    run(result, [&](F32 sum) { return fma(sum, factor, term); });
  }
};
struct OfF64 {
  using Vector = F64;
  static constexpr double products = sizeof(Vector) / sizeof(double);
  static void work(Vector& result) {
    const F64 factor = F64{} + 0.9375;
    const F64 term = F64{} + 0.12;
    run(result, [&](F64 sum) { return fma(sum, factor, term); });
  }
};
// Dot products in assembly: the compiler's own functions for them copy every sum once.
#if defined(__AVX512BF16__)
struct OfBf16 {
  using Vector = __m512;
  static constexpr double products = 32;
  static void work(Vector& result) {
    const auto ones = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3f803f80));
    run(result, [&](__m512 sum) {
      asm("vdpbf16ps %1, %1, %0" : "+v"(sum) : "v"(ones));
      return sum;
    });
  }
};
#endif
#if defined(__AVX512VNNI__)
struct OfI8 {
  using Vector = __m512;  // of whole numbers, for which the bits stand
  static constexpr double products = 64;
  static void work(Vector& result) {
    const __m512i ones = _mm512_set1_epi8(1);
    run(result, [&](__m512 sum) {
      asm("vpdpbusd %1, %1, %0" : "+v"(sum) : "v"(ones));
      return sum;
    });
  }
};
#endif

template <class Of>
void measure(const char* name) {
  std::vector<double> rates;
  double check = 0;
  const double start = now();
  for (int turn = 0; turn < 5 || now() - start < 1.2; ++turn) {
    double operations = 0;
    const double before = now();
#pragma omp parallel reduction(+ : operations, check)
    {
      typename Of::Vector result;
      Of::work(result);
      operations += 2 * Of::products * accumulators * iterations;
      check += static_cast<double>(result[0]);
    }
    if (turn > 1) rates.push_back(operations / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("%s, %d accumulators of %zu bytes, %d threads, check %.3f\nmedian %.6e a second\n", name, accumulators,
              sizeof(typename Of::Vector), omp_get_max_threads(), check, rates[rates.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string type = argc > 1 ? argv[1] : "f32";
  if (type == "f64") measure<OfF64>("f64");
  if (type == "f32") measure<OfF32>("f32");
#if defined(__AVX512BF16__)
  if (type == "bf16") measure<OfBf16>("bf16");
#endif
#if defined(__AVX512VNNI__)
  if (type == "i8") measure<OfI8>("i8");
#endif
  return 0;
}
