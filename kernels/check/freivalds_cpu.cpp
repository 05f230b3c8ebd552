// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/freivalds.h"

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/bf16.h"
#include "harness/core/kernel.h"
#include "harness/core/uniform.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

constexpr std::uint64_t vectors = 2;

std::vector<double> signs(std::size_t n, std::uint64_t seed) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = uniform(seed, i) < 0 ? -1 : 1;
  return v;
}

template <class T>
struct Matrix {
  const T* values = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;

  /// The part of a row from column `first` on, times v.
  [[nodiscard]] double row_times(std::size_t row, std::size_t first, const std::vector<double>& v) const {
    const T* const from = values + row * columns + first;
    double sum = 0;
    for (std::size_t j = 0; j < v.size(); ++j) sum += static_cast<double>(from[j]) * v[j];
    return sum;
  }
};

template <class T, class Result>
class Check {
 public:
  Check(ThreadPool& pool, const ops::Freivalds& op, std::size_t index)
      : pool_(pool),
        op_(op),
        a_{static_cast<const T*>(op.a) + index * op.m * op.k, op.m, op.k},
        b_{static_cast<const T*>(op.b) + index * op.k * op.n, op.k, op.n},
        c_{static_cast<const Result*>(op.c) + index * op.m * op.n, op.m, op.n} {}

  [[nodiscard]] double worst() const {
    const std::size_t step = op_.columns == 0 ? op_.n : op_.columns;
    double worst = 0;
    for (std::size_t first = 0; first < op_.n; first += step)
      for (std::uint64_t i = 0; i < vectors; ++i)
        worst = larger_or_nan(worst_row(first, std::min(step, op_.n - first), op_.seed + i), worst);
    return worst;
  }

 private:
  [[nodiscard]] double worst_row(std::size_t first, std::size_t width, std::uint64_t seed) const {
    const std::vector<double> v = signs(width, seed);
    std::vector<double> bv(op_.k);
    pool_.run([&](std::size_t index, std::size_t count) {
      const Part part = part_of(op_.k, sizeof(double), index, count);
      for (std::size_t row = part.begin; row < part.end; ++row) bv[row] = b_.row_times(row, first, v);
    });
    return largest(pool_, op_.m,
                   [&](std::size_t row) { return std::abs(c_.row_times(row, first, v) - a_.row_times(row, 0, bv)); });
  }

  ThreadPool& pool_;
  const ops::Freivalds& op_;
  Matrix<T> a_;
  Matrix<T> b_;
  Matrix<Result> c_;
};

template <class T, class Result = T>
Bound bind(Stream&, const ops::Freivalds& op) {
  return {.launch = [op](Stream& s) {
    double worst = 0;
    for (std::size_t i = 0; i < op.batch; ++i)
      worst = larger_or_nan(Check<T, Result>(pool_of(s), op, i).worst(), worst);
    *op.out = worst;
  }};
}

const Implements<ops::Freivalds> f64{{.id = {"cpu", "check", DType::f64}, .bind = bind<double>}};
const Implements<ops::Freivalds> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float>}};
const Implements<ops::Freivalds> bf16{{.id = {"cpu", "check", DType::bf16}, .bind = bind<Bf16>}};
const Implements<ops::Freivalds> i8{{.id = {"cpu", "check", DType::i8}, .bind = bind<std::int8_t, std::int32_t>}};

}  // namespace
}  // namespace warpmark::cpu
