// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: OpenBLAS called plainly. Usage: openblas_dgemm N. Prints the version and the
// median rate of single calls over about a second. Build: g++ -O2 openblas_dgemm.cpp -lopenblas -o openblas_dgemm
// (libopenblas-dev)
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<double> filled(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(engine);
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::vector<double> a = filled(count, 1), b = filled(count, 2);
  std::vector<double> c(count);
  std::vector<double> rates;
  const double start = now();
  for (int i = 0; i < 5 || now() - start < 1.2; ++i) {
    const double before = now();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n);
    if (before - start > 0.2 || i > 2) rates.push_back(2.0 * n * n * n / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("%s %s\nmedian %.6e FLOP/s\n", openblas_get_config(), openblas_get_corename(), rates[rates.size() / 2]);
  return 0;
}
