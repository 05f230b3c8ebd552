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

/// A whole matrix times v, its rows spread over the threads.
template <class T>
std::vector<double> times(ThreadPool& pool, const void* matrix, std::size_t rows, const std::vector<double>& v) {
  std::vector<double> product(rows);
  pool.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(rows, sizeof(double), index, count);
    for (std::size_t row = part.begin; row < part.end; ++row) product[row] = row_times<T>(matrix, row, v);
  });
  return product;
}

template <class T>
double worst_row(ThreadPool& pool, const ops::Freivalds& op, std::uint64_t seed) {
  const std::vector<double> v = signs(op.n, seed);
  const std::vector<double> bv = times<T>(pool, op.b, op.k, v);
  return largest(pool, op.m,
                 [&](std::size_t row) { return std::abs(row_times<T>(op.c, row, v) - row_times<T>(op.a, row, bv)); });
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
