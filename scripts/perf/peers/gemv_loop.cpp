// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: y = W x by a plain loop that the compiler vectorises, OpenMP over the rows, x and
// y f32. As many copies of W take turns as no cache holds. Usage: gemv_loop w16|w8|w4 ROWS COLUMNS. Prints the median
// rate over about a second, of W, its scales, x and y. Build: g++ -O3 -march=native -ffast-math -fopenmp gemv_loop.cpp
// -o gemv_loop
#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr long group = 128;
constexpr long enough_bytes = 192L << 20;  // several times a last-level cache

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Filled by the threads that read it.
unsigned char* weights(long bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
  auto* const values = static_cast<unsigned char*>(memory);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < bytes; ++i) values[i] = static_cast<unsigned char>(i % 2 == 0 ? i * 37 : 0x30 + i / 2 * 11 % 10);
  return values;
}

float row_w16(const unsigned char* w, const float* x, long columns) {
  __m256 sum = _mm256_setzero_ps();
  for (long j = 0; j < columns; j += 8)
    sum += _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w + 2 * j))) * _mm256_loadu_ps(x + j);
  float all = 0;
  for (int i = 0; i < 8; ++i) all += sum[i];
  return all;
}

float row_w8(const unsigned char* w, const float* x, long columns) {
  const auto* const values = reinterpret_cast<const std::int8_t*>(w);
  float sum = 0;
  for (long j = 0; j < columns; ++j) sum += static_cast<float>(values[j]) * x[j];
  return sum;
}

float row_w4(const unsigned char* w, const float* scales, const float* x, long columns) {
  float sum = 0;
  for (long g = 0; g < columns / group; ++g) {
    float of_group = 0;
    for (long b = g * group; b < (g + 1) * group; b += 32) {
      for (long j = 0; j < 16; ++j) of_group += static_cast<float>((w[b / 2 + j] & 15) - 8) * x[b + j];
      for (long j = 0; j < 16; ++j) of_group += static_cast<float>((w[b / 2 + j] >> 4) - 8) * x[b + 16 + j];
    }
    sum += of_group * scales[g];
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string kind = argv[1];
  const long rows = std::atol(argv[2]), columns = std::atol(argv[3]);
  const long row_bytes = kind == "w16" ? 2 * columns : kind == "w8" ? columns : columns / 2;
  const long row_scales = kind == "w16" ? 0 : kind == "w8" ? 1 : columns / group;
  const long bytes = rows * row_bytes, sets = std::max(2L, (enough_bytes + bytes - 1) / bytes);
  const unsigned char* const all = weights(sets * bytes);
  const std::vector<float> scales(static_cast<std::size_t>(rows * row_scales) + 1, 0.5F);
  const std::vector<float> x(static_cast<std::size_t>(columns), 0.25F);
  std::vector<float> y(static_cast<std::size_t>(rows));
  std::vector<double> rates;
  const double start = now();
  for (long i = 0; i < 5 || now() - start < 1.2; ++i) {
    const unsigned char* const w = all + i % sets * bytes;
    const double before = now();
#pragma omp parallel for schedule(static)
    for (long row = 0; row < rows; ++row) {
      const unsigned char* const of_row = w + row * row_bytes;
      y[row] = kind == "w16"  ? row_w16(of_row, x.data(), columns)
               : kind == "w8" ? row_w8(of_row, x.data(), columns) * scales[row]
                              : row_w4(of_row, scales.data() + row * row_scales, x.data(), columns);
    }
    if (i > 1)
      rates.push_back(static_cast<double>(bytes + 4 * (rows * row_scales + columns + rows)) / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("plain gemv loop %s, %ld x %ld, %ld sets, check %.6g\nmedian %.6e B/s\n", kind.c_str(), rows, columns,
              sets, static_cast<double>(y[rows / 2]), rates[rates.size() / 2]);
  return 0;
}
