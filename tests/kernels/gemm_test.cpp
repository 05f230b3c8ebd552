// SPDX-License-Identifier: Apache-2.0
// Every kernel of gemm and every micro kernel behind them, at shapes that fit no block, against a naive product in f64.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_cpu.h"
#include "tests/harness/store/temporary_folder.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;

struct Shape {
  std::size_t m = 0, n = 0, k = 0;
  [[nodiscard]] std::string text() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
  }
};

// Blocks of the cpu are 6 or 12 rows, 8 to 32 columns and 256 deep; tiles of the GPU 64 x 64 and 16 or 32 deep.
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
  [[nodiscard]] double error(const std::vector<double>& c, double epsilon) const {
    double worst = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
      const double off = std::abs(c[i] - product[i]);
      worst = worse_error(epsilon == 0 ? off : off / (epsilon * spread[i]), worst);
    }
    return worst;
  }

  std::vector<double> product, spread;
};

/// Of the coarsest rounding that a kernel does on the way.
double epsilon_of(const Kernel<ops::Gemm>& kernel) {
  return std::max({epsilon_of(result_of(kernel.id.dtype)), kernel.rounding.of_operands, kernel.rounding.of_sums});
}

/// Sums of int8 are exact; of narrow types they are rounded once, at the end.
double allowed_error(double epsilon) { return epsilon == 0 ? 0 : 4; }

/// What one element is spoiled to, by as little as the roundings let show.
std::vector<double> spoiled_products(double right, double spread, double epsilon) {
  if (epsilon == 0) return {right + 1, right - 1};
  if (epsilon > 0x1p-20) return {right + 0.1 * spread, std::numeric_limits<double>::quiet_NaN()};
  return spoiled_values(right);
}

void expect_right(const Reference& reference, std::vector<double> c, double epsilon, const std::string& what) {
  EXPECT_LE(reference.error(c, epsilon), allowed_error(epsilon)) << what;
  for (const std::size_t place : spoiled_places(c.size())) {
    const double right = c[place];
    for (const double wrong : spoiled_products(right, reference.spread[place], epsilon)) {
      c[place] = wrong;
      EXPECT_FALSE(reference.error(c, epsilon) <= allowed_error(epsilon))
          << what << ": " << wrong << " at " << place << " for " << right;
    }
    c[place] = right;
  }
}

std::vector<std::string> variants_of(std::string_view backend) {
  std::vector<std::string> variants;
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>())
    if (kernel.id.backend == backend)
      variants.push_back(kernel.id.variant + "/" + std::string(name_of(kernel.id.dtype)));
  return variants;
}

TEST(GemmKernels, IncludeSomeOfOurOwn) {
  EXPECT_THAT(variants_of("cpu"), Contains("blocked/f32"));
#if WARPMARK_HAS_CUDA
  EXPECT_THAT(variants_of("cuda"), IsSupersetOf({"tiled/f64", "tiled/f32", "mma/f16", "mma/bf16"}));
#endif
}

bool runs_on_cpu(const Kernel<ops::Gemm>& kernel) {
  return kernel.unsupported == nullptr || kernel.unsupported(*cpu_bench().device, Case{.kernel = kernel.id}).empty();
}

TEST(GemmKernels, SayWhyTheyCannotRunOnThisCpu) {
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) {
    if (kernel.id.backend != "cpu") continue;
    const DType dtype = kernel.id.dtype;
    const bool has_bf16 = cpu::supported(cpu::Isa::avx512_bf16) || cpu::supported(cpu::Isa::amx_bf16);
    const bool has_i8 = cpu::supported(cpu::Isa::avx512_vnni) || cpu::supported(cpu::Isa::avx_vnni) ||
                        cpu::supported(cpu::Isa::amx_int8);
    const bool expected = dtype == DType::f16    ? false
                          : dtype == DType::e4m3 ? false
                          : dtype == DType::bf16 ? has_bf16
                          : dtype == DType::i8   ? has_i8
                                                 : true;
    EXPECT_EQ(runs_on_cpu(kernel), expected) << text_of(kernel.id);
  }
}

#if WARPMARK_HAS_CUDA
/// Ends the process, which opens one driver only, with the answer of the mma kernels on a chip like that.
[[noreturn]] void ask_chip(const std::string& capability) {
  nlohmann::json scenario = nlohmann::json::parse(text_of_file(std::getenv("SIMULATED_MACHINE")));
  scenario["devices"][0]["compute_capability"] = capability;
  TemporaryFolder folder;
  ::setenv("SIMULATED_MACHINE", folder.write("scenario.json", scenario.dump()).c_str(), 1);
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>()) {
    if (kernel.id.variant != "mma") continue;
    const std::string reason = kernel.unsupported(*benches().at("cuda").device, Case{.kernel = kernel.id});
    std::fprintf(stderr, "%s: '%s' ", text_of(kernel.id).c_str(), reason.c_str());
  }
  std::exit(0);
}

TEST(GemmKernels, OnTheMatrixUnitNeedComputeCapability8) {
  if (std::getenv("SIMULATED_MACHINE") == nullptr) GTEST_SKIP() << "asks simulated chips only";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ask_chip("7.5"), testing::ExitedWithCode(0),
              "cuda/mma/f16: 'mma.m16n8k16 needs compute capability 8.0, and this GPU has 7.5' cuda/mma/bf16: 'mma");
  EXPECT_EXIT(ask_chip("8.0"), testing::ExitedWithCode(0), "cuda/mma/f16: '' cuda/mma/bf16: ''");
}
#endif

/// The operands of products of one shape, and where they go.
struct Matrices {
  Matrices(const KernelBench& bench, const Shape& s, std::size_t count, DType dtype)
      : shape(s),
        batch(count),
        a(bench, count * s.m * s.k, dtype),
        b(bench, count * s.k * s.n, dtype),
        c(GuardedArray::of_products(bench, count * s.m * s.n, dtype)) {
    a.fill(1);
    b.fill(2);
  }
  [[nodiscard]] ops::Gemm op() const {
    return {.c = c.data(), .a = a.data(), .b = b.data(), .m = shape.m, .n = shape.n, .k = shape.k, .batch = batch};
  }
  /// Of one pair.
  [[nodiscard]] std::vector<double> part(const GuardedArray& all, std::size_t pair) const {
    const std::vector<double> values = all.values();
    const auto step = static_cast<std::ptrdiff_t>(values.size() / batch);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(pair) * step;
    return {first, first + step};
  }
  Shape shape;
  std::size_t batch;
  GuardedArray a, b, c;
};

/// cublasLt takes not every shape for every type: cublaslt_simulated_test.cpp has those that it does.
template <class Test>
void on_every_gemm(const Test& test) {
  on_every_kernel<ops::Gemm>([&](const Kernel<ops::Gemm>& kernel, const KernelBench& bench) {
    if (!kernel.id.variant.starts_with("cublaslt")) test(kernel, bench);
  });
}

TEST(GemmKernels, MultiplyEveryPairOfABatch) {
  on_every_gemm([](const Kernel<ops::Gemm>& kernel, const KernelBench& bench) {
    if (kernel.id.variant == "blocked") return;  // which says that it has no batches
    const Matrices matrices(bench, {.m = 7, .n = 9, .k = 5}, 3, kernel.id.dtype);
    launch(kernel.id, bench, matrices.op());
    for (std::size_t i = 0; i < matrices.batch; ++i) {
      const Reference reference(matrices.part(matrices.a, i), matrices.part(matrices.b, i), matrices.shape);
      expect_right(reference, matrices.part(matrices.c, i), epsilon_of(kernel),
                   text_of(kernel.id) + " pair " + std::to_string(i));
    }
    EXPECT_TRUE(matrices.c.guards_intact()) << text_of(kernel.id);
  });
}

void try_shape(const Kernel<ops::Gemm>& kernel, const KernelBench& bench, const Shape& shape) {
  const std::string what = text_of(kernel.id) + " " + shape.text();
  const double epsilon = epsilon_of(kernel);
  const Matrices matrices(bench, shape, 1, kernel.id.dtype);
  const Reference reference(matrices.a.values(), matrices.b.values(), shape);
  ASSERT_FALSE(reference.error(matrices.c.values(), epsilon) <= allowed_error(epsilon)) << "poison is not right";
  const Bound bound = kernel.bind(*bench.stream, matrices.op());
  for (int twice = 0; twice < 2; ++twice) bound.launch(*bench.stream);  // C is replaced, not added to
  bench.stream->wait();
  expect_right(reference, matrices.c.values(), epsilon, what);
  EXPECT_TRUE(matrices.c.guards_intact()) << what;
}

TEST(GemmKernels, AreRightAtShapesThatFitNoBlock) {
  on_every_gemm([](const Kernel<ops::Gemm>& kernel, const KernelBench& bench) {
    for (const Shape& shape : shapes) try_shape(kernel, bench, shape);
  });
}

/// a: depth x rows and b: depth x columns, both packed as the micro kernel reads them.
struct Packed {
  Packed(const cpu::GemmBlocks& blocks, std::size_t depth)
      : a(cpu_bench(), depth * blocks.rows, DType::f32), b(cpu_bench(), depth * blocks.columns, DType::f32) {
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
  const GuardedArray wide(cpu_bench(), rows * stride, DType::f32);
  for (std::size_t i = 0; i < wide.size(); ++i) wide.set(i, 2);
  micro.run(depth, static_cast<const float*>(packed.a.data()), static_cast<const float*>(packed.b.data()),
            static_cast<float*>(wide.data()), stride, add);
  std::vector<double> block;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      block.push_back(wide.get(i * stride + j));
      if (add) reference.product[i * columns + j] += 2;
      reference.spread[i * columns + j] += add ? 2 : 0;
    }
    for (std::size_t j = columns; j < stride; ++j)
      EXPECT_EQ(wide.get(i * stride + j), 2) << what << " beside the block";
  }
  expect_right(reference, block, epsilon_of(DType::f32), what);
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
