// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: multiply-adds on as many accumulators as the registers hold, on every core.
// Usage: fma_loop f32|f64. Prints the median rate over about a second.
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

/// Returns the operations done.
template <class Vector, class T>
double work(Vector& result) {
  const Vector factor = Vector{} + static_cast<T>(0.9375);
  const Vector term = Vector{} + static_cast<T>(0.12);
  Vector sums[accumulators];
  for (int i = 0; i < accumulators; ++i) sums[i] = Vector{} + static_cast<T>(i);
  for (long n = 0; n < iterations; ++n) {
#pragma GCC unroll 24
    for (int i = 0; i < accumulators; ++i) sums[i] = fma(sums[i], factor, term);
  }
  result = sums[0];
  for (int i = 1; i < accumulators; ++i) result += sums[i];
  return 2.0 * sizeof(Vector) / sizeof(T) * accumulators * iterations;
}

template <class Vector, class T>
void measure(const char* name) {
  std::vector<double> rates;
  double check = 0;
  const double start = now();
  for (int turn = 0; turn < 5 || now() - start < 1.2; ++turn) {
    double operations = 0;
    const double before = now();
#pragma omp parallel reduction(+ : operations, check)
    {
      Vector result;
      operations += work<Vector, T>(result);
      check += static_cast<double>(result[0]);
    }
    if (turn > 1) rates.push_back(operations / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("%s, %d accumulators of %zu bytes, %d threads, check %.3f\nmedian %.6e FLOP/s\n", name, accumulators,
              sizeof(Vector), omp_get_max_threads(), check, rates[rates.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string type = argc > 1 ? argv[1] : "f32";
  if (type == "f64")
    measure<F64, double>("f64");
  else
    measure<F32, float>("f32");
  return 0;
}
