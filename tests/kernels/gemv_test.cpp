// SPDX-License-Identifier: Apache-2.0
// Every kernel of gemv, every loop behind those of the cpu, and the check of their results, against a naive product in
// f64.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/backends/cpu/isa.h"
#include "harness/core/kernel.h"
#include "kernels/check/gemv.h"
#include "kernels/gemv/gemv.h"
#include "kernels/gemv/gemv_cpu.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::IsSupersetOf;

struct Shape {
  std::size_t rows = 0, columns = 0;
};

// Warps of the GPU have two rows and blocks eight, and loads are four times 32 vectors of 8 to 32 columns; loops of the
// CPU have four rows.
constexpr Shape shapes[] = {{1, 128}, {2, 128}, {3, 256}, {5, 384}, {7, 1024}, {8, 1152}, {17, 4224}, {65, 896}};

/// The operands of a product, and where it goes.
struct Operands {
  Operands(const KernelBench& bench, ops::Weights kind, DType dtype, const Shape& of)
      : weights(kind),
        shape(of),
        w(bench, kind == ops::Weights::w4 ? of.rows * of.columns / 2 : of.rows * of.columns,
          kind == ops::Weights::w16 ? DType::f16 : DType::i8),
        scales(bench, of.rows * ops::scales_of_row(kind, of.columns), dtype),
        x(bench, of.columns, dtype),
        y(bench, of.rows, dtype) {
    w.fill(1);
    if (scales.size() > 0) scales.fill(2);
    x.fill(3);
  }

  [[nodiscard]] ops::Gemv op() const {
    return {.y = y.data(),
            .x = x.data(),
            .w = w.data(),
            .scales = scales.data(),
            .rows = shape.rows,
            .columns = shape.columns};
  }

  ops::Weights weights;
  Shape shape;
  GuardedArray w, scales, x, y;
};

/// Every product of a weight and its x, in f64.
class Reference {
 public:
  explicit Reference(const Operands& of)
      : shape_(of.shape), weights_(of.weights), w_(of.w.values()), scales_(of.scales.values()), x_(of.x.values()) {}

  [[nodiscard]] double product(std::size_t row, std::size_t column) const {
    const std::size_t at = row * shape_.columns + column;
    if (weights_ == ops::Weights::w16) return w_[at] * x_[column];
    if (weights_ == ops::Weights::w8) return w_[at] * scales_[row] * x_[column];
    const auto byte = static_cast<unsigned>(static_cast<int>(w_[at / 32 * 16 + at % 16]) + 256) % 256;
    const unsigned bits = at % 32 < 16 ? byte % 16 : byte / 16;
    return (static_cast<double>(bits) - 8) * scales_[at / 128] * x_[column];
  }

  /// How far an element is off, in what rounding may do.
  [[nodiscard]] double error(std::size_t row, double y, double epsilon) const {
    double want = 0, squares = 0;
    for (std::size_t column = 0; column < shape_.columns; ++column) {
      want += product(row, column);
      squares += product(row, column) * product(row, column);
    }
    const double sums = 0x1p-23 * std::sqrt(static_cast<double>(shape_.columns) * squares);
    return std::abs(y - want) / (epsilon * std::abs(want) + sums);
  }

  [[nodiscard]] double error(const std::vector<double>& y, double epsilon) const {
    double worst = 0;
    for (std::size_t row = 0; row < shape_.rows; ++row) worst = worse_error(error(row, y[row], epsilon), worst);
    return worst;
  }

 private:
  Shape shape_;
  ops::Weights weights_;
  std::vector<double> w_, scales_, x_;
};

void expect_right(const Operands& operands, DType dtype, const std::string& what) {
  const Reference reference(operands);
  std::vector<double> y = operands.y.values();
  EXPECT_LE(reference.error(y, epsilon_of(dtype)), 1) << what;
  EXPECT_TRUE(operands.y.guards_intact()) << what;
  for (const std::size_t place : spoiled_places(y.size())) {
    const double right = y[place];
    for (const double wrong : spoiled_values(right)) {
      y[place] = wrong;
      EXPECT_FALSE(reference.error(y, epsilon_of(dtype)) <= 1) << what << ": " << wrong << " for " << right;
    }
    y[place] = right;
  }
}

std::string text_of(const Shape& shape) { return std::to_string(shape.rows) + " x " + std::to_string(shape.columns); }

TEST(GemvKernels, HaveEveryKindOfWeights) {
  std::set<std::string> found;
  for (const Kernel<ops::Gemv>& kernel : kernels<ops::Gemv>()) found.insert(text_of(kernel.id));
  EXPECT_THAT(found, IsSupersetOf({"cpu/w16/f32", "cpu/w8/f32", "cpu/w4/f32"}));
#if WARPMARK_HAS_CUDA
  EXPECT_THAT(found, IsSupersetOf({"cuda/w16/f16", "cuda/w8/f16", "cuda/w4/f16"}));
#endif
}

TEST(GemvKernels, AreRightAtRowsThatFitNoWarp) {
  on_every_kernel<ops::Gemv>([](const Kernel<ops::Gemv>& kernel, const KernelBench& bench) {
    for (const Shape& shape : shapes) {
      const Operands operands(bench, ops::weights_of(kernel.id.variant), kernel.id.dtype, shape);
      const Bound bound = kernel.bind(*bench.stream, operands.op());
      for (int twice = 0; twice < 2; ++twice) bound.launch(*bench.stream);  // y is replaced, not added to
      bench.stream->wait();
      expect_right(operands, kernel.id.dtype, text_of(kernel.id) + " " + text_of(shape));
    }
  });
}

TEST(GemvLoops, AreRightOnEveryInstructionSetOfTheMachine) {
  EXPECT_EQ(cpu::gemv_loops.front().isa, cpu::Isa::baseline);
  for (const cpu::Compiled<const cpu::GemvLoops*>& loops : cpu::gemv_loops) {
    if (!cpu::supported(loops.isa)) continue;
    for (const auto& [weights, run] :
         {std::pair{ops::Weights::w16, loops.run->w16}, std::pair{ops::Weights::w8, loops.run->w8},
          std::pair{ops::Weights::w4, loops.run->w4}}) {
      const Operands operands(cpu_bench(), weights, DType::f32, {.rows = 11, .columns = 640});
      run(operands.op(), 0, 3);
      EXPECT_TRUE(std::isnan(operands.y.get(3))) << "not its row";
      run(operands.op(), 3, 11);
      expect_right(operands, DType::f32, std::string(name_of(loops.isa)));
    }
  }
}

double found_by(const KernelBench& bench, const Operands& operands, DType dtype) {
  const DeviceValue<double> out(bench, -1);
  launch<ops::GemvCheck>(
      {.backend = bench.device->info().backend, .variant = "check", .dtype = dtype}, bench,
      {.op = operands.op(), .weights = operands.weights, .n = operands.shape.rows, .out = out.data()});
  return out.get();
}

/// Calls test(bench, operands, dtype) for every check and every kind of weights, y right.
template <class Test>
void on_every_check(const Shape& shape, const Test& test) {
  on_every_kernel<ops::GemvCheck>([&](const Kernel<ops::GemvCheck>& kernel, const KernelBench& bench) {
    for (const ops::Weights weights : {ops::Weights::w16, ops::Weights::w8, ops::Weights::w4}) {
      SCOPED_TRACE(text_of(kernel.id));
      const Operands operands(bench, weights, kernel.id.dtype, shape);
      const Reference reference(operands);
      for (std::size_t row = 0; row < shape.rows; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < shape.columns; ++column) sum += reference.product(row, column);
        operands.y.set(row, sum);
      }
      test(bench, operands, kernel.id.dtype);
    }
  });
}

TEST(GemvCheck, PassesWhatIsRightAndFindsOneSpoiledElement) {
  on_every_check({.rows = 67, .columns = 384}, [](const KernelBench& bench, const Operands& operands, DType dtype) {
    EXPECT_LE(found_by(bench, operands, dtype), 0.51);
    for (const std::size_t place : spoiled_places(operands.y.size())) {
      const double right = operands.y.get(place);
      for (const double wrong : spoiled_values(right)) {
        operands.y.set(place, wrong);
        EXPECT_FALSE(found_by(bench, operands, dtype) <= 1) << wrong << " at " << place << " for " << right;
      }
      operands.y.set(place, right);
    }
  });
}

TEST(GemvCheck, SeesOneProductThatIsLeftOut) {
  on_every_check({.rows = 3, .columns = 256}, [](const KernelBench& bench, const Operands& operands, DType dtype) {
    const Reference reference(operands);
    for (const std::size_t row : {0U, 2U}) {
      std::size_t largest = 0;
      for (std::size_t column = 0; column < 256; ++column)
        if (std::abs(reference.product(row, column)) > std::abs(reference.product(row, largest))) largest = column;
      const double right = operands.y.get(row);
      operands.y.set(row, right - reference.product(row, largest));
      EXPECT_GT(found_by(bench, operands, dtype), 1) << row;
      operands.y.set(row, right);
    }
  });
}

TEST(GemvCheck, SeesWeightsScalesAndColumnsThatAreExchanged) {
  on_every_check({.rows = 4, .columns = 256}, [](const KernelBench& bench, const Operands& operands, DType dtype) {
    const auto exchange = [](const GuardedArray& of, std::size_t a, std::size_t b) {
      const double first = of.get(a);
      of.set(a, of.get(b));
      of.set(b, first);
    };
    for (const GuardedArray* of : {&operands.w, &operands.scales, &operands.x, &operands.y}) {
      if (of->size() < 3) continue;
      exchange(*of, 1, 2);
      EXPECT_GT(found_by(bench, operands, dtype), 1);
      exchange(*of, 1, 2);
    }
    EXPECT_LE(found_by(bench, operands, dtype), 1);
  });
}

TEST(GemvCheck, IsNanForNanInAnyNumber) {
  on_every_check({.rows = 3, .columns = 128}, [](const KernelBench& bench, const Operands& operands, DType dtype) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const GuardedArray* of : {&operands.scales, &operands.x, &operands.y}) {
      if (of->size() == 0) continue;
      const double right = of->get(of->size() - 1);
      of->set(of->size() - 1, nan);
      EXPECT_TRUE(std::isnan(found_by(bench, operands, dtype)));
      of->set(of->size() - 1, right);
    }
  });
}

}  // namespace
}  // namespace warpmark
