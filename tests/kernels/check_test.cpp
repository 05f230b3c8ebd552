// SPDX-License-Identifier: Apache-2.0
// The checks that everything else is judged by, for each type: right results pass, one spoiled element never does.
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/check/freivalds.h"
#include "kernels/check/linear.h"
#include "kernels/check/sums.h"
#include "kernels/memory/read.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};

template <class Op>
double found_by(const KernelBench& bench, Op op, DType dtype) {
  const DeviceValue<double> out(bench, -1);
  op.out = out.data();
  launch<Op>({.backend = bench.device->info().backend, .variant = "check", .dtype = dtype}, bench, op);
  return out.get();
}

/// Calls test(bench, dtype) for every kernel of a check whose backend can be used here.
template <class Op, class Test>
void on_every_check(const Test& test) {
  on_every_kernel<Op>([&](const Kernel<Op>& kernel, const KernelBench& bench) {
    SCOPED_TRACE(text_of(kernel.id));
    test(bench, kernel.id.dtype);
  });
}

template <class Op>
std::set<std::string> types_of(std::string_view backend) {
  std::set<std::string> types;
  for (const Kernel<Op>& kernel : kernels<Op>())
    if (kernel.id.backend == backend) types.emplace(name_of(kernel.id.dtype));
  return types;
}

TEST(Checks, HaveEveryType) {
  using Types = std::set<std::string>;
  std::vector<std::string_view> with_kernels{"cpu"};
#if WARPMARK_HAS_CUDA
  with_kernels.emplace_back("cuda");
#endif
  for (const std::string_view backend : with_kernels) {
    EXPECT_EQ(types_of<ops::LinearCheck>(backend), (Types{"f64", "f32"})) << backend;
    EXPECT_EQ(types_of<ops::ReadCheck>(backend), (Types{"f64", "f32"})) << backend;
    EXPECT_EQ(types_of<ops::DotCheck>(backend), (Types{"f64", "f32"})) << backend;
    const Types products = types_of<ops::Freivalds>(backend);
    EXPECT_EQ(products, backend == "cpu" ? (Types{"f64", "f32", "bf16", "i8"})
                                         : (Types{"f64", "f32", "f16", "bf16", "e4m3", "i8"}));
  }
}

double rounded(double value, DType dtype) {
  if (dtype == DType::bf16) return static_cast<double>(Bf16(value));
  if (dtype == DType::f16) return static_cast<double>(F16(value));
  return dtype == DType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// x and y filled, got = 3 x - 0.5 y rounded once.
struct Linear {
  Linear(const KernelBench& on, std::size_t n, DType type)
      : bench(on), dtype(type), got(on, n, type), x(on, n, type), y(on, n, type) {
    x.fill(1);
    y.fill(2);
    for (std::size_t i = 0; i < n; ++i) got.set(i, rounded(3 * x.get(i) - 0.5 * y.get(i), dtype));
  }
  [[nodiscard]] double error() const {
    return found_by<ops::LinearCheck>(
        bench, {.got = got.data(), .x = x.data(), .alpha = 3, .y = y.data(), .beta = -0.5, .n = got.size()}, dtype);
  }
  const KernelBench& bench;
  DType dtype;
  GuardedArray got, x, y;
};

void try_linear(const Linear& linear) {
  EXPECT_LE(linear.error(), 1) << linear.got.size();
  for (const std::size_t place : spoiled_places(linear.got.size())) {
    const double right = linear.got.get(place);
    for (const double wrong : spoiled_values(right)) {
      linear.got.set(place, wrong);
      EXPECT_FALSE(linear.error() <= 2) << wrong << " at " << place << " of " << linear.got.size();
    }
    linear.got.set(place, right);
  }
}

TEST(LinearCheck, PassesWhatIsRightAndFindsOneSpoiledElement) {
  on_every_check<ops::LinearCheck>([](const KernelBench& bench, DType dtype) {
    for (const std::size_t n : odd_sizes) try_linear(Linear(bench, n, dtype));
  });
}

TEST(LinearCheck, MeasuresInEpsilonsOfBothTerms) {
  on_every_check<ops::LinearCheck>([](const KernelBench& bench, DType dtype) {
    const Linear linear(bench, 1, dtype);
    linear.x.set(0, 1);
    linear.y.set(0, 2);
    linear.got.set(0, 2 + 4 * epsilon_of(dtype));  // 3 - 1, off by 4 epsilons; the terms are 3 and 1
    EXPECT_DOUBLE_EQ(linear.error(), 1.0);
  });
}

TEST(LinearCheck, TakesAlphaItselfWhereThereIsNoFirstTerm) {
  on_every_check<ops::LinearCheck>([](const KernelBench& bench, DType dtype) {
    const GuardedArray got(bench, 65, dtype);
    for (std::size_t i = 0; i < 65; ++i) got.set(i, 0.25);
    const ops::LinearCheck constant{.got = got.data(), .alpha = 0.25, .n = 65};
    EXPECT_EQ(found_by(bench, constant, dtype), 0);
    got.set(64, 0.26);
    EXPECT_GT(found_by(bench, constant, dtype), 1000);
  });
}

TEST(LinearCheck, NeedsNoSecondTerm) {
  on_every_check<ops::LinearCheck>([](const KernelBench& bench, DType dtype) {
    const GuardedArray x(bench, 65, dtype);
    x.fill(1);
    ops::LinearCheck copy{.got = x.data(), .x = x.data(), .alpha = 1, .n = 65};
    EXPECT_EQ(found_by(bench, copy, dtype), 0);
    copy.alpha = 1.01;
    EXPECT_GT(found_by(bench, copy, dtype), 1000);
  });
}

TEST(LinearCheck, TakesZeroForRightAndAnythingElseForInfinitelyWrong) {
  on_every_check<ops::LinearCheck>([](const KernelBench& bench, DType dtype) {
    const GuardedArray got(bench, 2, dtype), x(bench, 2, dtype);
    const ops::LinearCheck op{.got = got.data(), .x = x.data(), .alpha = 2, .n = 2};
    for (const std::size_t i : {0U, 1U}) {
      got.set(i, 0);
      x.set(i, 0);
    }
    EXPECT_EQ(found_by(bench, op, dtype), 0);
    got.set(1, 1e-30);
    EXPECT_EQ(found_by(bench, op, dtype), std::numeric_limits<double>::infinity());
  });
}

TEST(LinearCheck, IsNanForNanInAnyOperand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  on_every_check<ops::LinearCheck>([nan](const KernelBench& bench, DType dtype) {
    for (const std::size_t place : {0U, 500U, 999U}) {
      const Linear in_x(bench, 1000, dtype), in_y(bench, 1000, dtype);
      in_x.x.set(place, nan);
      in_y.y.set(place, nan);
      EXPECT_TRUE(std::isnan(in_x.error())) << place;
      EXPECT_TRUE(std::isnan(in_y.error())) << place;
    }
  });
}

bool is_narrow(DType dtype) { return dtype == DType::bf16 || dtype == DType::f16; }

struct Product {
  Product(const KernelBench& on, std::size_t rows, std::size_t columns, std::size_t inner, DType type)
      : bench(on),
        m(rows),
        n(columns),
        k(inner),
        dtype(type),
        c(GuardedArray::of_products(on, m * n, type)),
        a(on, m * k, type),
        b(on, k * n, type) {
    a.fill(1);
    b.fill(2);
    const std::vector<double> of_a = a.values(), of_b = b.values();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += of_a[i * k + l] * of_b[l * n + j];
        c.set(i * n + j, rounded(sum, result_of(dtype)));
      }
    }
  }
  [[nodiscard]] ops::Freivalds op() const {
    return {.c = c.data(), .a = a.data(), .b = b.data(), .m = m, .n = n, .k = k, .seed = 7};
  }
  [[nodiscard]] double error(const ops::Freivalds& op) const { return found_by(bench, op, dtype); }
  [[nodiscard]] double error() const { return error(op()); }
  /// Each element of C was rounded once, to half an epsilon of at most k.
  [[nodiscard]] double allowed() const {
    const DType result = result_of(dtype);
    return epsilon_of(result) *
           (is_narrow(result) ? 1 + std::sqrt(static_cast<double>(k * n)) : static_cast<double>(k * n));
  }

  const KernelBench& bench;
  std::size_t m, n, k;
  DType dtype;
  GuardedArray c, a, b;
};

std::vector<double> spoiled_products(double right, DType dtype) {
  if (dtype == DType::i8) return {right + 1, right - 1};
  if (is_narrow(result_of(dtype))) return {right + 4, std::numeric_limits<double>::quiet_NaN()};
  return spoiled_values(right);
}

void try_product(const Product& product) {
  EXPECT_LE(product.error(), product.allowed()) << product.m << " " << product.n << " " << product.k;
  for (const std::size_t place : spoiled_places(product.c.size())) {
    const double right = product.c.get(place);
    for (const double wrong : spoiled_products(right, product.dtype)) {
      product.c.set(place, wrong);
      EXPECT_FALSE(product.error() <= product.allowed()) << wrong << " at " << place;
    }
    product.c.set(place, right);
  }
}

TEST(Freivalds, PassesWhatIsRightAndFindsOneSpoiledElement) {
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    for (const auto& [m, n, k] :
         {std::array<std::size_t, 3>{1, 1, 1}, {1, 65, 1}, {65, 1, 3}, {2, 3, 4}, {63, 65, 64}, {100, 31, 129}})
      try_product(Product(bench, m, n, k, dtype));
  });
}

TEST(Freivalds, FindsASwappedOperandAndATransposedResult) {
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    Product product(bench, 17, 17, 17, dtype);
    EXPECT_LE(product.error(), product.allowed());
    std::swap(product.a, product.b);
    EXPECT_GT(product.error(), 0.1);
  });
}

void try_columns(const Product& product, std::size_t columns) {
  ops::Freivalds op = product.op();
  op.columns = columns;
  EXPECT_LE(product.error(op), product.allowed()) << columns;
  for (const std::size_t place : {0U, 64U, 599U}) {
    const double right = product.c.get(place);
    product.c.set(place, right + 2);
    EXPECT_NEAR(product.error(op), 2, product.allowed()) << columns << " columns, " << place;
    product.c.set(place, right);
  }
}

TEST(Freivalds, LooksAtEveryColumn) {
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    const Product product(bench, 6, 100, 4, dtype);
    for (const std::size_t columns : {1U, 7U, 64U, 1000U}) try_columns(product, columns);
  });
}

TEST(Freivalds, LooksAtEveryPairOfABatch) {
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    const GuardedArray c = GuardedArray::of_products(bench, 2, dtype);
    const GuardedArray a(bench, 2, dtype), b(bench, 2, dtype);
    const double values[] = {6, 20, 2, 4, 3, 5};
    for (std::size_t i = 0; i < 2; ++i) {
      c.set(i, values[i]);
      a.set(i, values[2 + i]);
      b.set(i, values[4 + i]);
    }
    const ops::Freivalds pairs{.c = c.data(), .a = a.data(), .b = b.data(), .m = 1, .n = 1, .k = 1, .batch = 2};
    EXPECT_EQ(found_by(bench, pairs, dtype), 0);
    c.set(1, 21);  // the second alone
    EXPECT_EQ(found_by(bench, pairs, dtype), 1);
  });
}

TEST(Freivalds, SeesTheSizeOfTheErrorInOneElement) {
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    const Product product(bench, 5, 7, 3, dtype);
    product.c.set(12, product.c.get(12) + 2);  // times +1 or -1
    EXPECT_NEAR(product.error(), 2, product.allowed());
  });
}

TEST(Freivalds, IsNanForNanInAnyOperand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  on_every_check<ops::Freivalds>([nan](const KernelBench& bench, DType dtype) {
    if (dtype == DType::i8) return;
    for (GuardedArray Product::*const operand : {&Product::a, &Product::b, &Product::c}) {
      const Product product(bench, 33, 34, 35, dtype);
      (product.*operand).set((product.*operand).size() / 2, nan);
      EXPECT_TRUE(std::isnan(product.error()));
    }
  });
}

TEST(Freivalds, LooksTwiceSoThatTwoErrorsRarelyHide) {
  // Two errors of one size in a row cancel in a vector whose signs there differ: for a quarter of the seeds in both.
  on_every_check<ops::Freivalds>([](const KernelBench& bench, DType dtype) {
    if (dtype != DType::f64) return;  // signs are the same for all
    const Product product(bench, 3, 8, 3, dtype);
    product.c.set(0, product.c.get(0) + 2);
    product.c.set(1, product.c.get(1) + 2);
    ops::Freivalds op = product.op();
    int hidden = 0;
    for (op.seed = 0; op.seed < 400; op.seed += 2) hidden += product.error(op) < 1 ? 1 : 0;
    EXPECT_GT(hidden, 25);
    EXPECT_LT(hidden, 75);
  });
}

TEST(ReadCheck, KnowsTheSumOfTheBits) {
  on_every_check<ops::ReadCheck>([](const KernelBench& bench, DType dtype) {
    const GuardedArray x(bench, 1000, dtype);
    x.fill(1);
    const DeviceValue<std::uint64_t> sum(bench, 0);
    launch<ops::Read>({bench.device->info().backend, "plain", dtype}, bench,
                      {.x = x.data(), .n = 1000, .passes = 2, .sum = sum.data()});
    const ops::ReadCheck check{.got = sum.data(), .x = x.data(), .n = 1000, .passes = 2};
    EXPECT_EQ(found_by(bench, check, dtype), 0);
    x.set(999, x.get(999) * 1.01);
    EXPECT_EQ(found_by(bench, check, dtype), 1) << "an element is another";
    x.fill(1);
    sum.set(sum.get() ^ 1U);
    EXPECT_EQ(found_by(bench, check, dtype), 1) << "the sum is another";
  });
}

TEST(DotCheck, MeasuresTheDistance) {
  on_every_check<ops::DotCheck>([](const KernelBench& bench, DType dtype) {
    const GuardedArray x(bench, 1000, dtype), y(bench, 1000, dtype);
    for (std::size_t i = 0; i < 1000; ++i) {
      x.set(i, 0.5);
      y.set(i, i % 2 == 0 ? 2 : -1);
    }
    const DeviceValue<double> sum(bench, 250);  // 500 x (1 - 0.5)
    const ops::DotCheck check{.got = sum.data(), .x = x.data(), .y = y.data(), .n = 1000};
    EXPECT_EQ(found_by(bench, check, dtype), 0);
    sum.set(251);
    EXPECT_EQ(found_by(bench, check, dtype), 1);
    y.set(17, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(found_by(bench, check, dtype)));
  });
}

TEST(DotCheck, KeepsDigitsThatASumInF64WouldLose) {
  on_every_check<ops::DotCheck>([](const KernelBench& bench, DType dtype) {
    constexpr std::size_t n = 2001;
    const GuardedArray x(bench, n, dtype), y(bench, n, dtype);
    // Large ones that cancel, small ones between them.
    for (std::size_t i = 0; i < n; ++i) {
      x.set(i, i == 0 ? 0x1p56 : i == n - 1 ? -0x1p56 : 1);
      y.set(i, i == 0 || i == n - 1 ? 1 : 0x1p-1);
    }
    const DeviceValue<double> sum(bench, (n - 2) / 2.0);
    const ops::DotCheck check{.got = sum.data(), .x = x.data(), .y = y.data(), .n = n};
    EXPECT_EQ(found_by(bench, check, dtype), 0);
    sum.set(0);
    EXPECT_EQ(found_by(bench, check, dtype), (n - 2) / 2.0);
  });
}

}  // namespace
}  // namespace warpmark
