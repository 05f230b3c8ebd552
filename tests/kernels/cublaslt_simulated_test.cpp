// SPDX-License-Identifier: Apache-2.0
// The products of cublasLt on a simulated H200 (tests/fakes/cublaslt): right for every type and variant, by the
// algorithm that is the fastest there, and never by one that rounds f32.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "harness/backends/cuda/cublaslt.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/core/error.h"
#include "kernels/check/freivalds.h"
#include "kernels/gemm/gemm.h"
#include "tests/harness/store/temporary_folder.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

KernelBench& gpu() { return benches().at("cuda"); }

std::vector<Kernel<ops::Gemm>> library_kernels() {
  std::vector<Kernel<ops::Gemm>> all;
  for (const Kernel<ops::Gemm>& kernel : kernels<ops::Gemm>())
    if (kernel.id.backend == "cuda" && kernel.id.variant.starts_with("cublaslt")) all.push_back(kernel);
  return all;
}

const Kernel<ops::Gemm>& kernel(const char* variant, DType dtype) {
  return kernel_of<ops::Gemm>({.backend = "cuda", .variant = variant, .dtype = dtype});
}

struct Sizes {
  std::size_t m = 0, n = 0, k = 0, batch = 1;
};

struct Operands {
  Operands(const Sizes& s, DType dtype)
      : sizes(s),
        a(gpu(), s.batch * s.m * s.k, dtype),
        b(gpu(), s.batch * s.k * s.n, dtype),
        c(GuardedArray::of_products(gpu(), s.batch * s.m * s.n, dtype)) {
    a.fill(1);
    b.fill(2);
  }
  [[nodiscard]] ops::Gemm op() const {
    return {
        .c = c.data(), .a = a.data(), .b = b.data(), .m = sizes.m, .n = sizes.n, .k = sizes.k, .batch = sizes.batch};
  }
  Sizes sizes;
  GuardedArray a, b, c;
};

struct Values {
  explicit Values(const Operands& o) : sizes(o.sizes), a(o.a.values()), b(o.b.values()), c(o.c.values()) {}

  /// Of one element of C: the distance from the product in f64, over what a sum of its products may be off by in
  /// epsilons of 1.
  [[nodiscard]] double error_at(std::size_t place) const {
    const std::size_t row = place / sizes.n;  // of all matrices
    const std::size_t column = place % sizes.n;
    double right = 0;
    double squares = 0;
    for (std::size_t l = 0; l < sizes.k; ++l) {
      const double term = a[row * sizes.k + l] * b[(row / sizes.m * sizes.k + l) * sizes.n + column];
      right += term;
      squares += term * term;
    }
    return std::abs(c[place] - right) / std::sqrt(squares * static_cast<double>(sizes.k));
  }

  Sizes sizes;
  std::vector<double> a, b, c;
};

double worst_of(const Operands& o) {
  const Values values(o);
  double worst = 0;
  for (std::size_t place = 0; place < values.c.size(); ++place) worst = worse_error(values.error_at(place), worst);
  return worst;
}

/// 0 for integers, whose sums are exact.
double allowed(const Kernel<ops::Gemm>& of) {
  const DType result = of.id.dtype == DType::e4m3 ? DType::bf16 : of.id.dtype;
  return 4 * std::max({epsilon_of(result), of.rounding.of_operands, of.rounding.of_sums});
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_right(const Kernel<ops::Gemm>& of, const Sizes& sizes) {
  const std::string what = text_of(of.id) + " " + std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " +
                           std::to_string(sizes.k) + " x " + std::to_string(sizes.batch);
  const Operands o(sizes, of.id.dtype);
  ASSERT_FALSE(worst_of(o) <= allowed(of)) << what << ": poison is not right";
  const Bound bound = of.bind(*gpu().stream, o.op());
  gpu().stream->poison(o.c.data(), 1);
  for (int twice = 0; twice < 2; ++twice) bound.launch(*gpu().stream);
  gpu().stream->wait();
  EXPECT_LE(worst_of(o), allowed(of)) << what;
  EXPECT_TRUE(o.a.guards_intact() && o.b.guards_intact() && o.c.guards_intact()) << what;
  for (const std::size_t place : spoiled_places(o.c.size())) {
    const double right = o.c.get(place);
    o.c.set(place, of.id.dtype == DType::i8 ? right + 1 : right + 0.3 * static_cast<double>(sizes.k));
    EXPECT_FALSE(worst_of(o) <= allowed(of)) << what << " at " << place;
    o.c.set(place, right);
  }
}

constexpr Sizes all_sizes[] = {{1, 1, 1},   {5, 1, 3},    {2, 3, 4, 3}, {13, 33, 255},  {7, 100, 513},   {64, 65, 66},
                               {1, 32, 16}, {33, 48, 80}, {16, 16, 16}, {3, 20, 12, 5}, {17, 48, 32, 2}, {31, 4, 8}};

bool takes(const Kernel<ops::Gemm>& of, const Sizes& sizes) {
  const std::size_t multiple = of.id.dtype == DType::e4m3 ? 16 : of.id.dtype == DType::i8 ? 4 : 1;
  return sizes.n % multiple == 0 && sizes.k % multiple == 0;
}

void expect_refused(const Kernel<ops::Gemm>& of, const Sizes& sizes) {
  const Operands o(sizes, of.id.dtype);
  EXPECT_THAT(complaint([&] { (void)of.bind(*gpu().stream, o.op()); }), HasSubstr("multiples of")) << text_of(of.id);
}

TEST(CublasLt, IsRightAtEverySizeThatItTakes) {
  for (const Kernel<ops::Gemm>& each : library_kernels()) {
    EXPECT_GE(std::count_if(std::begin(all_sizes), std::end(all_sizes), [&](const Sizes& s) { return takes(each, s); }),
              4);
    for (const Sizes& sizes : all_sizes) {
      const Case at{.kernel = each.id,
                    .at = {{"n", static_cast<std::int64_t>(sizes.n)}, {"k", static_cast<std::int64_t>(sizes.k)}}};
      EXPECT_EQ(each.unsupported(*gpu().device, at).empty(), takes(each, sizes)) << text_of(each.id);
      takes(each, sizes) ? expect_right(each, sizes) : expect_refused(each, sizes);
    }
  }
}

TEST(CublasLt, HasEveryTypeAndVariant) {
  std::vector<std::string> names;
  for (const Kernel<ops::Gemm>& each : library_kernels())
    names.push_back(each.id.variant + "/" + std::string(name_of(each.id.dtype)) + ":" + std::string(each.unit));
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(
                  "cublaslt/f64:f64_matrix", "cublaslt/f32:f32_fma", "cublaslt/f16:f16_matrix",
                  "cublaslt/bf16:bf16_matrix", "cublaslt-first/f64:f64_matrix", "cublaslt-first/f32:f32_fma",
                  "cublaslt-first/f16:f16_matrix", "cublaslt-first/bf16:bf16_matrix", "cublaslt-tf32/f32:tf32_matrix",
                  "cublaslt-acc16/f16:f16_acc16_matrix", "cublaslt-tn/f16:f16_matrix", "cublaslt-tn/bf16:bf16_matrix",
                  "cublaslt-tn/i8:i8_matrix", "cublaslt-tn/e4m3:fp8_matrix"));
}

TEST(CublasLt, IsHeldAgainstTheUnitThatDoesTheWork) {
  for (const Kernel<ops::Gemm>& each : library_kernels())
    EXPECT_TRUE(gpu().device->info().ceilings.at(std::string(each.unit)).value) << text_of(each.id);
}

double seconds_of(const Bound& bound) {
  constexpr int launches = 20;
  return gpu().stream->time([&](Stream& s) {
    for (int i = 0; i < launches; ++i) bound.launch(s);
  }) / launches;
}

TEST(CublasLt, TakesTheFastestAndKeepsTheFirstBesideIt) {
  const Operands o({.m = 192, .n = 192, .k = 192}, DType::f64);
  const Bound fastest = kernel("cublaslt", DType::f64).bind(*gpu().stream, o.op());
  const Bound first = kernel("cublaslt-first", DType::f64).bind(*gpu().stream, o.op());
  EXPECT_EQ(fastest.about.at("algorithm"), (nlohmann::json{{"id", 66},
                                                           {"tile", 31},
                                                           {"stages", 35},
                                                           {"split_k", 1},
                                                           {"swizzle", 1},
                                                           {"can_emulate", false},
                                                           {"workspace_bytes", 1 << 20}}));
  EXPECT_EQ(fastest.about.at("heuristic"), (nlohmann::json{{"rank", 3}, {"of", 6}}));
  EXPECT_EQ(first.about.at("algorithm").at("id"), 21);
  EXPECT_EQ(first.about.at("heuristic"), (nlohmann::json{{"rank", 1}, {"of", 6}}));
  EXPECT_NEAR(seconds_of(first) / seconds_of(fastest), 1 / 0.8, 0.03);
}

TEST(CublasLt, SaysWhatRan) {
  const Operands o({.m = 16, .n = 16, .k = 16}, DType::e4m3);
  const Bound bound = kernel("cublaslt-tn", DType::e4m3).bind(*gpu().stream, o.op());
  EXPECT_EQ(bound.about.at("library"), "cublasLt 13.1.2");
  EXPECT_THAT(bound.about.at("path").get<std::string>(), HasSubstr("/fakes/libcublasLt.so.13"));
  EXPECT_EQ(bound.about.at("numerics"), "HMMA, f32 sums of e4m3");
  EXPECT_EQ(bound.about.at("b_layout"), "transposed once, before the samples");
  const Operands plain({.m = 16, .n = 16, .k = 16}, DType::f64);
  const Bound f64 = kernel("cublaslt", DType::f64).bind(*gpu().stream, plain.op());
  EXPECT_EQ(f64.about.at("b_layout"), "row major");
  EXPECT_EQ(f64.about.at("compute_type"), "CUBLAS_COMPUTE_64F: no emulation is asked for");
  EXPECT_EQ(bound.about.at("fast_accumulation"), false);
  for (const char* const of_the_other : {"fast_accumulation", "compute_type"})
    EXPECT_NE(f64.about.contains(of_the_other), bound.about.contains(of_the_other)) << of_the_other;
}

// On this machine the algorithm with TF32 is named too, and is far the fastest.
TEST(CublasLt, NeverRoundsF32) {
  const Operands o({.m = 64, .n = 64, .k = 64}, DType::f32);
  for (const char* const variant : {"cublaslt", "cublaslt-first"}) {
    const Bound bound = kernel(variant, DType::f32).bind(*gpu().stream, o.op());
    EXPECT_EQ(bound.about.at("numerics"), "FMA, f32 sums of f32");
    EXPECT_EQ(bound.about.at("heuristic").at("of"), 7);
    bound.launch(*gpu().stream);
    EXPECT_LE(worst_of(o), 4 * epsilon_of(DType::f32));
  }
  const Bound tf32 = kernel("cublaslt-tf32", DType::f32).bind(*gpu().stream, o.op());
  EXPECT_EQ(tf32.about.at("numerics"), "HMMA, f32 sums of tf32");
  tf32.launch(*gpu().stream);
  EXPECT_GT(worst_of(o), 100 * epsilon_of(DType::f32)) << "the twin: rounded operands do show";
}

TEST(ImplementationFlags, ProveF32OnlyWhereTheySaySo) {
  using cuda::is_plain_f32;
  constexpr std::uint64_t plain = CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
                                  CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  EXPECT_TRUE(is_plain_f32(plain));
  EXPECT_FALSE(is_plain_f32(0));
  EXPECT_FALSE(is_plain_f32(plain | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32));
  EXPECT_FALSE(is_plain_f32(plain | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF));
  EXPECT_FALSE(is_plain_f32(plain | CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA));
  EXPECT_EQ(cuda::numerics_text(0), "unknown, unknown sums of unknown");
}

double freivalds(const Operands& o) {
  const DeviceValue<double> out(gpu(), -1);
  launch<ops::Freivalds>({.backend = "cuda", .variant = "check", .dtype = DType::e4m3}, gpu(),
                         {.c = o.c.data(),
                          .a = o.a.data(),
                          .b = o.b.data(),
                          .m = o.sizes.m,
                          .n = o.sizes.n,
                          .k = o.sizes.k,
                          .seed = 7,
                          .out = out.data()});
  return out.get();
}

TEST(CublasLt, OfFp8IsSeenRightByTheCheckAndOneSpoiledElementIsNot) {
  const Operands o({.m = 33, .n = 48, .k = 80}, DType::e4m3);
  EXPECT_TRUE(std::isnan(freivalds(o)));
  kernel("cublaslt-tn", DType::e4m3).bind(*gpu().stream, o.op()).launch(*gpu().stream);
  const double allowed_of_a_row = epsilon_of(DType::bf16) * (1 + std::sqrt(80 * 48) / 2);
  EXPECT_LT(freivalds(o), allowed_of_a_row);
  for (const std::size_t place : spoiled_places(o.c.size())) {
    const double right = o.c.get(place);
    o.c.set(place, right + 1.5);
    EXPECT_GT(freivalds(o), allowed_of_a_row);
    o.c.set(place, right);
  }
}

/// The machine with changes, in a process of its own: a process opens one driver.
class OtherMachine : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  void simulate(const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json scenario =
        nlohmann::json::parse(text_of_file(WARPMARK_SOURCE_DIR "/tests/fakes/machines/h200.json"));
    change(scenario);
    ::setenv("SIMULATED_MACHINE", folder_.write("scenario.json", scenario.dump()).c_str(), 1);
  }

  /// Ends the process, its complaint on stderr.
  [[noreturn]] static void bind_and_exit(const char* variant, DType dtype, const Sizes& sizes = {16, 16, 16}) {
    const Operands o(sizes, dtype);
    const std::string why = complaint([&] { (void)kernel(variant, dtype).bind(*gpu().stream, o.op()); });
    std::fputs(why.c_str(), stderr);
    std::exit(why.empty() ? 0 : 1);
  }

  TemporaryFolder folder_{};
};

nlohmann::json call_fault(const char* call, cublasStatus_t status) {
  return {{{"call", call}, {"code", static_cast<int>(status)}}};
}

TEST_F(OtherMachine, WhoseLibraryProvesNothingHasNoF32) {
  const auto on = [&](const char* variant) {
    simulate([](nlohmann::json& s) {
      s["faults"] = call_fault("cublasLtMatmulAlgoCapGetAttribute", CUBLAS_STATUS_INVALID_VALUE);
    });
    bind_and_exit(variant, DType::f32);
  };
  EXPECT_EXIT(on("cublaslt"), testing::ExitedWithCode(1), "proven to multiply f32 without TF32");
  EXPECT_EXIT(on("cublaslt-first"), testing::ExitedWithCode(1), "proven to multiply f32 without TF32");
  EXPECT_EXIT(on("cublaslt-tf32"), testing::ExitedWithCode(0), "");
}

TEST_F(OtherMachine, IsAskedForAlgorithmsOnceForASize) {
  const auto on = [&](std::size_t n) {
    simulate([](nlohmann::json& s) {
      s["faults"] = call_fault("cublasLtMatmulAlgoGetHeuristic", CUBLAS_STATUS_INTERNAL_ERROR);
      s["faults"][0]["nth"] = 2;
    });
    const Operands other({16, 16, 16}, DType::f64);
    (void)kernel("cublaslt", DType::f64).bind(*gpu().stream, other.op());
    bind_and_exit("cublaslt", DType::f64, {16, n, 16});
  };
  EXPECT_EXIT(on(16), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(on(17), testing::ExitedWithCode(1), "CUBLAS_STATUS_INTERNAL_ERROR");
}

TEST_F(OtherMachine, WithAnOlderDriverHasTheOlderLibrary) {
  const auto on = [&] {
    simulate([](nlohmann::json& s) { s["driver_version"] = 12040; });
    const Operands o({16, 16, 16}, DType::f64);
    const Bound bound = kernel("cublaslt", DType::f64).bind(*gpu().stream, o.op());
    std::fputs(bound.about.at("library").get<std::string>().c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(on(), testing::ExitedWithCode(0), "cublasLt 12.1.2");
  EXPECT_EQ(cuda::cublaslt_major(12080), 12);
  EXPECT_EQ(cuda::cublaslt_major(13000), 13);
}

TEST_F(OtherMachine, SaysWhyAnOlderChipHasNoSuchType) {
  const auto on = [&] {
    simulate([](nlohmann::json& s) { s["devices"][0]["compute_capability"] = "7.5"; });
    for (const Kernel<ops::Gemm>& each : library_kernels())
      std::fprintf(stderr, "%s: %s;", text_of(each.id).c_str(),
                   each.unsupported(*gpu().device, Case{.kernel = each.id}).c_str());
    std::exit(0);
  };
  EXPECT_EXIT(on(), testing::ExitedWithCode(0),
              AllOf(HasSubstr("cublaslt/bf16: bf16 products need compute capability 8.0, and this GPU has 7.5;"),
                    HasSubstr("cublaslt-tf32/f32: tf32 products need compute capability 8.0"),
                    HasSubstr("cublaslt-tn/e4m3: fp8 products need compute capability 8.9"),
                    HasSubstr("cublaslt-tn/i8: ;"), HasSubstr("cublaslt/f16: ;"), HasSubstr("cublaslt/f32: ;")));
}

TEST_F(OtherMachine, WhereALaunchFailsSaysSo) {
  const auto on = [&](int nth) {
    simulate([nth](nlohmann::json& s) {
      s["faults"] = call_fault("cublasLtMatmul", CUBLAS_STATUS_EXECUTION_FAILED);
      s["faults"][0]["nth"] = nth;
    });
    bind_and_exit("cublaslt", DType::f64);
  };
  EXPECT_EXIT(on(1), testing::ExitedWithCode(1), "cublasLtMatmul: .*CUBLAS_STATUS_EXECUTION_FAILED");
  EXPECT_EXIT(on(1000), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpmark
