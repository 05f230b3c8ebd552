// SPDX-License-Identifier: Apache-2.0
// The checks that everything else is judged by, for each type: right results pass, one spoiled element never does.
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/check/freivalds.h"
#include "kernels/check/linear.h"
#include "tests/kernels/cpu_bench.h"

namespace warpmark {
namespace {

constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};
constexpr DType types[] = {DType::f64, DType::f32};

template <class Op>
double found_by(Op op, DType dtype) {
  double out = -1;
  op.out = &out;
  const KernelId id{.backend = "cpu", .variant = "check", .dtype = dtype};
  kernel_of<Op>(id).bind(*cpu_bench().stream, op).launch(*cpu_bench().stream);
  return out;
}

double rounded(double value, DType dtype) {
  return dtype == DType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// x and y filled, got = 3 x - 0.5 y rounded once.
struct Linear {
  Linear(std::size_t n, DType dtype) : got(n, dtype), x(n, dtype), y(n, dtype) {
    x.fill(1);
    y.fill(2);
    for (std::size_t i = 0; i < n; ++i) got.set(i, rounded(3 * x.get(i) - 0.5 * y.get(i), dtype));
  }
  [[nodiscard]] ops::LinearCheck op() const {
    return {.got = got.data(), .x = x.data(), .alpha = 3, .y = y.data(), .beta = -0.5, .n = got.size()};
  }
  GuardedArray got, x, y;
};

TEST(LinearCheck, PassesWhatIsRightAndFindsOneSpoiledElement) {
  for (const DType dtype : types) {
    for (const std::size_t n : odd_sizes) {
      const Linear linear(n, dtype);
      EXPECT_LE(found_by(linear.op(), dtype), 1) << name_of(dtype) << " " << n;
      for (const std::size_t place : spoiled_places(n)) {
        const double right = linear.got.get(place);
        for (const double wrong : spoiled_values(right)) {
          linear.got.set(place, wrong);
          EXPECT_FALSE(found_by(linear.op(), dtype) <= 2)
              << name_of(dtype) << " " << wrong << " at " << place << " of " << n;
        }
        linear.got.set(place, right);
      }
    }
  }
}

TEST(LinearCheck, MeasuresInEpsilonsOfBothTerms) {
  const Linear linear(1, DType::f64);
  linear.x.set(0, 1);
  linear.y.set(0, 2);
  linear.got.set(0, 2 + 0x1p-50);  // 3 - 1, off by 4 epsilons; the terms are 3 and 1
  EXPECT_DOUBLE_EQ(found_by(linear.op(), DType::f64), 1.0);
}

TEST(LinearCheck, NeedsNoSecondTerm) {
  for (const DType dtype : types) {
    const GuardedArray x(65, dtype);
    x.fill(1);
    ops::LinearCheck copy{.got = x.data(), .x = x.data(), .alpha = 1, .n = 65};
    EXPECT_EQ(found_by(copy, dtype), 0);
    copy.alpha = 1.01;
    EXPECT_GT(found_by(copy, dtype), 1000);
  }
}

TEST(LinearCheck, TakesZeroForRightAndAnythingElseForInfinitelyWrong) {
  const GuardedArray got(2, DType::f64), x(2, DType::f64);
  const ops::LinearCheck op{.got = got.data(), .x = x.data(), .alpha = 2, .n = 2};
  for (const std::size_t i : {0U, 1U}) {
    got.set(i, 0);
    x.set(i, 0);
  }
  EXPECT_EQ(found_by(op, DType::f64), 0);
  got.set(1, 1e-300);
  EXPECT_EQ(found_by(op, DType::f64), std::numeric_limits<double>::infinity());
}

TEST(LinearCheck, IsNanForNanInAnyOperand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t place : {0U, 500U, 999U}) {
    const Linear in_x(1000, DType::f64), in_y(1000, DType::f64);
    in_x.x.set(place, nan);
    in_y.y.set(place, nan);
    EXPECT_TRUE(std::isnan(found_by(in_x.op(), DType::f64)));
    EXPECT_TRUE(std::isnan(found_by(in_y.op(), DType::f64)));
  }
}

struct Product {
  Product(std::size_t rows, std::size_t columns, std::size_t inner, DType type)
      : m(rows), n(columns), k(inner), dtype(type), c(m * n, type), a(m * k, type), b(k * n, type) {
    a.fill(1);
    b.fill(2);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += a.get(i * k + l) * b.get(l * n + j);
        c.set(i * n + j, rounded(sum, dtype));
      }
    }
  }
  [[nodiscard]] double error(std::uint64_t seed = 7) const {
    return found_by(ops::Freivalds{.c = c.data(), .a = a.data(), .b = b.data(), .m = m, .n = n, .k = k, .seed = seed},
                    dtype);
  }
  /// Each element of C was rounded once, to half an epsilon of at most k.
  [[nodiscard]] double allowed() const { return epsilon_of(dtype) * static_cast<double>(k * n); }

  std::size_t m, n, k;
  DType dtype;
  GuardedArray c, a, b;
};

TEST(Freivalds, PassesWhatIsRightAndFindsOneSpoiledElement) {
  for (const DType dtype : types) {
    for (const auto& [m, n, k] :
         {std::array<std::size_t, 3>{1, 1, 1}, {1, 65, 1}, {65, 1, 3}, {2, 3, 4}, {63, 65, 64}, {100, 31, 129}}) {
      const Product product(m, n, k, dtype);
      EXPECT_LE(product.error(), product.allowed()) << name_of(dtype) << " " << m << " " << n << " " << k;
      for (const std::size_t place : spoiled_places(m * n)) {
        const double right = product.c.get(place);
        for (const double wrong : spoiled_values(right)) {
          product.c.set(place, wrong);
          EXPECT_FALSE(product.error() <= product.allowed()) << name_of(dtype) << " " << wrong << " at " << place;
        }
        product.c.set(place, right);
      }
    }
  }
}

TEST(Freivalds, FindsASwappedOperandAndATransposedResult) {
  Product product(17, 17, 17, DType::f64);
  EXPECT_LE(product.error(), product.allowed());
  std::swap(product.a, product.b);
  EXPECT_GT(product.error(), 0.1);
}

TEST(Freivalds, SeesTheSizeOfTheErrorInOneElement) {
  const Product product(5, 7, 3, DType::f64);
  product.c.set(12, product.c.get(12) + 0.25);  // times +1 or -1
  EXPECT_NEAR(product.error(), 0.25, 1e-12);
}

TEST(Freivalds, LooksTwiceSoThatTwoErrorsRarelyHide) {
  // Two errors of one size in a row cancel in a vector whose signs there differ: for a quarter of the seeds in both.
  const Product product(3, 8, 3, DType::f64);
  product.c.set(0, product.c.get(0) + 1);
  product.c.set(1, product.c.get(1) + 1);
  int hidden = 0;
  for (std::uint64_t seed = 0; seed < 400; seed += 2) hidden += product.error(seed) < 0.5 ? 1 : 0;
  EXPECT_GT(hidden, 25);
  EXPECT_LT(hidden, 75);
}

}  // namespace
}  // namespace warpmark
