// SPDX-License-Identifier: Apache-2.0
// Every kernel of gemm and every micro kernel behind them, at shapes that fit no block, against a naive product in f64.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_cpu.h"
#include "tests/kernels/cpu_bench.h"

namespace warpmark {
namespace {

using ::testing::Contains;

struct Shape {
  std::size_t m = 0, n = 0, k = 0;
  [[nodiscard]] std::string text() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
  }
};

// Blocks are 6 or 12 rows, 8 to 32 columns and 256 deep.
constexpr Shape shapes[] = {{1, 1, 1},    {1, 5, 1},     {5, 1, 3},      {1, 129, 1},   {2, 3, 4},   {3, 65, 2},
                            {6, 8, 256},  {12, 32, 257}, {13, 33, 255},  {63, 64, 65},  {65, 63, 1}, {7, 100, 513},
                            {1, 1, 1000}, {64, 1, 64},   {100, 31, 300}, {25, 97, 4099}};

/// A naive product in f64, and for each element how far rounding may take a sum of its products.
struct Reference {
  Reference(const std::vector<double>& a, const std::vector<double>& b, const Shape& shape)
      : product(shape.m * shape.n), spread(shape.m * shape.n) {
    for (std::size_t i = 0; i < shape.m; ++i) {
      for (std::size_t j = 0; j < shape.n; ++j) {
        double squares = 0;
        for (std::size_t l = 0; l < shape.k; ++l) {
          const double term = a[i * shape.k + l] * b[l * shape.n + j];
          product[i * shape.n + j] += term;
          squares += term * term;
        }
        spread[i * shape.n + j] = std::sqrt(squares * static_cast<double>(shape.k));
      }
    }
  }

  /// The largest distance in epsilons of the spread: roundings are random and every one is of a partial sum, so that 1
  /// is about what a sum one after the other costs.
  [[nodiscard]] double error(const GuardedArray& c, DType dtype) const {
    double worst = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
      const double off = std::abs(c.get(i) - product[i]);
      worst = worse_error(dtype == DType::i8 ? off : off / (epsilon_of(dtype) * spread[i]), worst);
    }
    return worst;
  }

  std::vector<double> product, spread;
};

/// Sums of int8 are exact; of narrow types they are rounded once, at the end.
double allowed_error(DType dtype) { return dtype == DType::i8 ? 0 : 4; }

/// What one element is spoiled to, by as little as the type can show.
std::vector<double> spoiled_products(double right, double spread, DType dtype) {
  if (dtype == DType::i8) return {right + 1, right - 1};
  if (dtype == DType::bf16) return {right + 0.1 * spread, std::numeric_limits<double>::quiet_NaN()};
  return spoiled_values(right);
}

void expect_right(const Reference& reference, const GuardedArray& c, DType dtype, const std::string& what) {
  const double allowed = allowed_error(dtype);
  EXPECT_LE(reference.error(c, dtype), allowed) << what;
  EXPECT_TRUE(c.guards_intact()) << what;
  for (const std::size_t place : spoiled_places(c.size())) {
    const double right = c.get(place);
    for (const double wrong : spoiled_products(right, reference.spread[place], dtype)) {
      c.set(place, wrong);
      EXPECT_FALSE(reference.error(c, dtype) <= allowed)
          << what << ": " << wrong << " at " << place << " for " << right;
    }
    c.set(place, right);
  }
}

TEST(GemmKernels, IncludeOneOfOurOwn) {
  std::vector<std::string> variants;
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) variants.push_back(kernel.id.variant);
  EXPECT_THAT(variants, Contains("blocked"));
}

bool runs_here(const Kernel<ops::Gemm>& kernel) {
  return kernel.unsupported == nullptr || kernel.unsupported(cpu_bench().device, Case{.kernel = kernel.id}).empty();
}

TEST(GemmKernels, SayWhyTheyCannotRun) {
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) {
    const DType dtype = kernel.id.dtype;
    const bool has_bf16 = cpu::supported(cpu::Isa::avx512_bf16) || cpu::supported(cpu::Isa::amx_bf16);
    const bool has_i8 = cpu::supported(cpu::Isa::avx512_vnni) || cpu::supported(cpu::Isa::avx_vnni) ||
                        cpu::supported(cpu::Isa::amx_int8);
    const bool expected = dtype == DType::f16    ? false
                          : dtype == DType::bf16 ? has_bf16
                          : dtype == DType::i8   ? has_i8
                                                 : true;
    EXPECT_EQ(runs_here(kernel), expected) << kernel.id.variant << " " << name_of(dtype);
  }
}

TEST(GemmKernels, MultiplyEveryPairOfABatch) {
  const Shape shape{7, 9, 5};
  constexpr std::size_t batch = 3;
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) {
    const DType dtype = kernel.id.dtype;
    if (!runs_here(kernel) || kernel.id.variant == "blocked") continue;
    const GuardedArray a(batch * shape.m * shape.k, dtype), b(batch * shape.k * shape.n, dtype);
    const GuardedArray c = GuardedArray::of_products(batch * shape.m * shape.n, dtype);
    a.fill(1);
    b.fill(2);
    const ops::Gemm op{
        .c = c.data(), .a = a.data(), .b = b.data(), .m = shape.m, .n = shape.n, .k = shape.k, .batch = batch};
    kernel.bind(*cpu_bench().stream, op).launch(*cpu_bench().stream);
    for (std::size_t i = 0; i < batch; ++i) {
      const auto part = [i](const std::vector<double>& all) {
        const auto step = static_cast<std::ptrdiff_t>(all.size() / batch);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(i) * step;
        return std::vector<double>(first, first + step);
      };
      const Reference reference(part(a.values()), part(b.values()), shape);
      const GuardedArray mine = GuardedArray::of_products(shape.m * shape.n, dtype);
      for (std::size_t j = 0; j < mine.size(); ++j) mine.set(j, part(c.values())[j]);
      expect_right(reference, mine, dtype, kernel.id.variant + " pair " + std::to_string(i));
    }
    EXPECT_TRUE(c.guards_intact()) << kernel.id.variant;
  }
}

TEST(GemmKernels, AreRightAtShapesThatFitNoBlock) {
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) {
    const DType dtype = kernel.id.dtype;
    if (!runs_here(kernel)) continue;
    for (const Shape& shape : shapes) {
      const GuardedArray a(shape.m * shape.k, dtype), b(shape.k * shape.n, dtype);
      const GuardedArray c = GuardedArray::of_products(shape.m * shape.n, dtype);
      a.fill(1);
      b.fill(2);
      const Reference reference(a.values(), b.values(), shape);
      ASSERT_FALSE(reference.error(c, dtype) <= allowed_error(dtype)) << "poison is not right";
      const ops::Gemm op{.c = c.data(), .a = a.data(), .b = b.data(), .m = shape.m, .n = shape.n, .k = shape.k};
      const Bound bound = kernel.bind(*cpu_bench().stream, op);
      for (int twice = 0; twice < 2; ++twice) bound.launch(*cpu_bench().stream);  // C is replaced, not added to
      expect_right(reference, c, dtype, kernel.id.variant + " " + shape.text());
    }
  }
}

/// a: depth x rows and b: depth x columns, both packed as the micro kernel reads them.
struct Packed {
  Packed(const cpu::GemmBlocks& blocks, std::size_t depth)
      : a(depth * blocks.rows, DType::f32), b(depth * blocks.columns, DType::f32) {
    a.fill(1);
    b.fill(2);
    const std::vector<double> packed = a.values();
    rows_of_a.resize(packed.size());
    for (std::size_t l = 0; l < depth; ++l)
      for (std::size_t i = 0; i < blocks.rows; ++i) rows_of_a[i * depth + l] = packed[l * blocks.rows + i];
  }
  GuardedArray a, b;
  std::vector<double> rows_of_a{};
};

void try_micro(const cpu::GemmMicro& micro, std::size_t depth, bool add, const std::string& what) {
  const auto [rows, columns] = micro.blocks;
  const Packed packed(micro.blocks, depth);
  Reference reference(packed.rows_of_a, packed.b.values(), {.m = rows, .n = columns, .k = depth});
  const std::size_t stride = columns + 3;
  const GuardedArray wide(rows * stride, DType::f32);
  for (std::size_t i = 0; i < wide.size(); ++i) wide.set(i, 2);
  micro.run(depth, static_cast<const float*>(packed.a.data()), static_cast<const float*>(packed.b.data()),
            static_cast<float*>(wide.data()), stride, add);
  const GuardedArray block(rows * columns, DType::f32);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      block.set(i * columns + j, wide.get(i * stride + j));
      if (add) reference.product[i * columns + j] += 2;
      reference.spread[i * columns + j] += add ? 2 : 0;
    }
    for (std::size_t j = columns; j < stride; ++j)
      EXPECT_EQ(wide.get(i * stride + j), 2) << what << " beside the block";
  }
  expect_right(reference, block, DType::f32, what);
  EXPECT_TRUE(wide.guards_intact()) << what;
}

TEST(GemmMicros, AreRightOnEveryInstructionSetOfTheMachine) {
  ASSERT_FALSE(cpu::gemm_micros().empty());
  EXPECT_EQ(cpu::gemm_micros().front().isa, cpu::Isa::baseline);
  for (const cpu::Compiled<cpu::GemmMicro>& micro : cpu::gemm_micros()) {
    if (!cpu::supported(micro.isa)) continue;
    for (const std::size_t depth : {1U, 2U, 63U, 255U, 256U})
      for (const bool add : {false, true})
        try_micro(micro.run, depth, add,
                  std::string(name_of(micro.isa)) + " depth " + std::to_string(depth) + (add ? " added" : ""));
  }
}

}  // namespace
}  // namespace warpmark
