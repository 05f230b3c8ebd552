// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/core/uniform.h"
#include "kernels/check/check_cpu.h"
#include "kernels/check/freivalds.h"

namespace warpmark::cpu {
namespace {

constexpr std::uint64_t vectors = 2;

std::vector<double> signs(std::size_t n, std::uint64_t seed) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = uniform(seed, i) < 0 ? -1 : 1;
  return v;
}

template <class T>
double row_times(const void* matrix, std::size_t row, const std::vector<double>& v) {
  const T* const values = static_cast<const T*>(matrix) + row * v.size();
  double sum = 0;
  for (std::size_t j = 0; j < v.size(); ++j) sum += static_cast<double>(values[j]) * v[j];
  return sum;
}

template <class T>
double worst_row(ThreadPool& pool, const ops::Freivalds& op, std::uint64_t seed) {
  const std::vector<double> v = signs(op.n, seed);
  std::vector<double> bv(op.k);
  (void)largest(pool, op.k, [&](std::size_t row) { return bv[row] = row_times<T>(op.b, row, v); });
  return largest(pool, op.m, [&](std::size_t row) { return std::abs(row_times<T>(op.c, row, v) - row_times<T>(op.a, row, bv)); });
}

template <class T>
Bound bind(Stream&, const ops::Freivalds& op) {
  return {.launch = [op](Stream& s) {
    double worst = 0;
    for (std::uint64_t i = 0; i < vectors; ++i) worst = larger_or_nan(worst_row<T>(pool_of(s), op, op.seed + i), worst);
    *op.out = worst;
  }};
}

const Implements<ops::Freivalds> f64{{.id = {"cpu", "check", DType::f64}, .bind = bind<double>}};
const Implements<ops::Freivalds> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float>}};

}  // namespace
}  // namespace warpmark::cpu
