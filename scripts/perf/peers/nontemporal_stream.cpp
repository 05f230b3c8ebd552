// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: STREAM's copy and triad with stores past the caches, OpenMP, f64.
// Usage: nontemporal_stream copy|triad BYTES (of all arrays). Prints the median rate over about a second.
// Build: g++ -O3 -march=native -fopenmp nontemporal_stream.cpp -o nontemporal_stream
#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double* array(long n, double value) {
  const auto bytes = static_cast<std::size_t>(n) * sizeof(double);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
  auto* const values = static_cast<double*>(memory);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) values[i] = value + static_cast<double>(i % 1000) * 1e-6;
  return values;
}

#if defined(__AVX512F__)
constexpr long lanes = 8;
void copy(double* a, const double* b, long i) { _mm512_stream_pd(a + i, _mm512_loadu_pd(b + i)); }
void triad(double* a, const double* b, const double* c, long i) {
  _mm512_stream_pd(a + i, _mm512_fmadd_pd(_mm512_set1_pd(0.4), _mm512_loadu_pd(c + i), _mm512_loadu_pd(b + i)));
}
#else
constexpr long lanes = 4;
void copy(double* a, const double* b, long i) { _mm256_stream_pd(a + i, _mm256_loadu_pd(b + i)); }
void triad(double* a, const double* b, const double* c, long i) {
  _mm256_stream_pd(a + i, _mm256_fmadd_pd(_mm256_set1_pd(0.4), _mm256_loadu_pd(c + i), _mm256_loadu_pd(b + i)));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "triad";
  const bool is_copy = name == "copy";
  const long arrays = is_copy ? 2 : 3;
  const long n = (argc > 2 ? std::atol(argv[2]) : 1L << 30) / arrays / 8 / 64 * 64;
  double* const a = array(n, 0);
  double* const b = array(n, 1);
  double* const c = is_copy ? nullptr : array(n, 2);
  std::vector<double> rates;
  const double start = now();
  for (int pass = 0; pass < 5 || now() - start < 1.2; ++pass) {
    const double before = now();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += lanes) is_copy ? copy(a, b, i) : triad(a, b, c, i);
    _mm_sfence();
    if (pass > 1) rates.push_back(static_cast<double>(arrays * n * 8) / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("STREAM-like non-temporal %s, %ld bytes, check %.6f\nmedian %.6e B/s\n", name.c_str(), arrays * n * 8,
              a[n / 3], rates[rates.size() / 2]);
  return 0;
}
