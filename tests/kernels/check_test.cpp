// SPDX-License-Identifier: Apache-2.0
// The checks that everything else is judged by, for each type: right results pass, one spoiled element never does.
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/check/freivalds.h"
#include "kernels/check/linear.h"
#include "kernels/check/sums.h"
#include "kernels/memory/read.h"
#include "tests/kernels/cpu_bench.h"

namespace warpmark {
namespace {

constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};
constexpr DType types[] = {DType::f64, DType::f32};
constexpr DType product_types[] = {DType::f64, DType::f32, DType::bf16, DType::i8};

template <class Op>
double found_by(Op op, DType dtype) {
  double out = -1;
  op.out = &out;
  const KernelId id{.backend = "cpu", .variant = "check", .dtype = dtype};
  kernel_of<Op>(id).bind(*cpu_bench().stream, op).launch(*cpu_bench().stream);
  return out;
}

double rounded(double value, DType dtype) {
  if (dtype == DType::bf16) return static_cast<double>(Bf16(value));
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

TEST(LinearCheck, TakesAlphaItselfWhereThereIsNoFirstTerm) {
  for (const DType dtype : types) {
    const GuardedArray got(65, dtype);
    for (std::size_t i = 0; i < 65; ++i) got.set(i, 0.25);
    ops::LinearCheck constant{.got = got.data(), .alpha = 0.25, .n = 65};
    EXPECT_EQ(found_by(constant, dtype), 0);
    got.set(64, 0.26);
    EXPECT_GT(found_by(constant, dtype), 1000);
  }
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
      : m(rows),
        n(columns),
        k(inner),
        dtype(type),
        c(GuardedArray::of_products(m * n, type)),
        a(m * k, type),
        b(k * n, type) {
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
  [[nodiscard]] double allowed() const {
    return epsilon_of(dtype) *
           (dtype == DType::bf16 ? 1 + std::sqrt(static_cast<double>(k * n)) : static_cast<double>(k * n));
  }

  std::size_t m, n, k;
  DType dtype;
  GuardedArray c, a, b;
};

std::vector<double> spoiled_products(double right, DType dtype) {
  if (dtype == DType::i8) return {right + 1, right - 1};
  if (dtype == DType::bf16) return {right + 4, std::numeric_limits<double>::quiet_NaN()};
  return spoiled_values(right);
}

TEST(Freivalds, PassesWhatIsRightAndFindsOneSpoiledElement) {
  for (const DType dtype : product_types) {
    for (const auto& [m, n, k] :
         {std::array<std::size_t, 3>{1, 1, 1}, {1, 65, 1}, {65, 1, 3}, {2, 3, 4}, {63, 65, 64}, {100, 31, 129}}) {
      const Product product(m, n, k, dtype);
      EXPECT_LE(product.error(), product.allowed()) << name_of(dtype) << " " << m << " " << n << " " << k;
      for (const std::size_t place : spoiled_places(m * n)) {
        const double right = product.c.get(place);
        for (const double wrong : spoiled_products(right, dtype)) {
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

TEST(Freivalds, LooksAtEveryColumnAndEveryPairOfABatch) {
  const Product product(6, 100, 4, DType::f64);  // three pairs of 2 x 100 x 4 would need a B each: one pair of C
  for (const std::size_t columns : {1U, 7U, 64U, 100U, 1000U}) {
    ops::Freivalds op{.c = product.c.data(), .a = product.a.data(), .b = product.b.data(), .m = 6, .n = 100, .k = 4};
    op.columns = columns;
    EXPECT_LE(found_by(op, DType::f64), product.allowed()) << columns;
    for (const std::size_t place : {0U, 63U, 64U, 99U, 599U}) {
      const double right = product.c.get(place);
      product.c.set(place, right + 0.25);
      EXPECT_NEAR(found_by(op, DType::f64), 0.25, 1e-12) << columns << " columns, " << place;
      product.c.set(place, right);
    }
  }
  // Two pairs, one after the other: the second alone is wrong.
  const GuardedArray c(2, DType::f64), a(2, DType::f64), b(2, DType::f64);
  const double values[] = {6, 20, 2, 4, 3, 5};
  for (std::size_t i = 0; i < 2; ++i) {
    c.set(i, values[i]);
    a.set(i, values[2 + i]);
    b.set(i, values[4 + i]);
  }
  const ops::Freivalds pairs{.c = c.data(), .a = a.data(), .b = b.data(), .m = 1, .n = 1, .k = 1, .batch = 2};
  EXPECT_EQ(found_by(pairs, DType::f64), 0);
  c.set(1, 21);
  EXPECT_EQ(found_by(pairs, DType::f64), 1);
}

TEST(ReadCheck, KnowsTheSumOfTheBits) {
  for (const DType dtype : types) {
    const GuardedArray x(1000, dtype);
    x.fill(1);
    std::uint64_t sum = 0;
    kernel_of<ops::Read>({"cpu", "plain", dtype})
        .bind(*cpu_bench().stream, {.x = x.data(), .n = 1000, .passes = 2, .sum = &sum})
        .launch(*cpu_bench().stream);
    const ops::ReadCheck check{.got = &sum, .x = x.data(), .n = 1000, .passes = 2};
    EXPECT_EQ(found_by(check, dtype), 0);
    x.set(999, x.get(999) * 1.01);
    EXPECT_EQ(found_by(check, dtype), 1) << "an element is another";
    x.fill(1);
    sum ^= 1U;
    EXPECT_EQ(found_by(check, dtype), 1) << "the sum is another";
  }
}

TEST(DotCheck, MeasuresTheDistance) {
  for (const DType dtype : types) {
    const GuardedArray x(1000, dtype), y(1000, dtype);
    for (std::size_t i = 0; i < 1000; ++i) {
      x.set(i, 0.5);
      y.set(i, i % 2 == 0 ? 2 : -1);
    }
    double sum = 250;  // 500 x (1 - 0.5)
    const ops::DotCheck check{.got = &sum, .x = x.data(), .y = y.data(), .n = 1000};
    EXPECT_EQ(found_by(check, dtype), 0);
    sum += 1;
    EXPECT_EQ(found_by(check, dtype), 1);
    y.set(17, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(found_by(check, dtype)));
  }
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
