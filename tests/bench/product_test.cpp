// SPDX-License-Identifier: Apache-2.0
// What the check of a product forgives: what honest rounding does, with room, and less than one wrong element.
#include "bench/gemm/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "harness/core/bf16.h"
#include "harness/core/error.h"
#include "harness/core/f16.h"
#include "harness/core/uniform.h"

namespace warpmark {
namespace {

constexpr Rounding as_the_type{};
constexpr Rounding as_tf32{.of_operands = 0x1p-10};
constexpr Rounding as_acc16{.of_sums = 0x1p-10};

/// Of operands that a kernel cuts off, as the matrix unit does that is given f32.
double cut_to_tf32(double value) {
  const int exponent = std::ilogb(value);
  return std::ldexp(std::trunc(std::ldexp(value, 10 - exponent)), exponent - 10);
}

double plain(double value) { return value; }
double to_f32(double value) { return static_cast<double>(static_cast<float>(value)); }
double to_f16(double value) { return static_cast<double>(F16(value)); }
double to_bf16(double value) { return static_cast<double>(Bf16(value)); }

using Round = double (*)(double);
struct Arithmetic {
  Round operand = plain;
  Round sum = plain;
  Round result = plain;
};

std::vector<double> operands(std::size_t n, std::uint64_t seed) {
  std::vector<double> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = to_f32(uniform(seed, i));
  return all;
}

struct Matrices {
  Matrices(const GemmShape& shape, std::size_t width)
      : columns(width), k(shape.k), a(operands(shape.m * shape.k, 1)), b(operands(shape.k * columns, 2)) {}

  /// How far an element of C is off that is computed so.
  [[nodiscard]] double error(std::size_t i, std::size_t j, const Arithmetic& how) const {
    double sum = 0;
    double right = 0;
    for (std::size_t l = 0; l < k; ++l) {
      const double x = a[i * k + l];
      const double y = b[l * columns + j];
      right += x * y;
      sum = how.sum(sum + how.operand(x) * how.operand(y));
    }
    return how.result(sum) - right;
  }

  std::size_t columns, k;
  std::vector<double> a, b;
};

/// The largest |C v - A (B v)| over the rows of a product that is computed so, for one vector of signs.
double row_error(const GemmShape& shape, std::size_t columns, const Arithmetic& how) {
  const Matrices matrices(shape, columns);
  double worst = 0;
  for (std::size_t i = 0; i < shape.m; ++i) {
    double off = 0;
    for (std::size_t j = 0; j < columns; ++j) off += matrices.error(i, j, how) * (uniform(3, j) < 0 ? -1 : 1);
    worst = std::max(worst, std::abs(off));
  }
  return worst;
}

struct Way {
  const char* name = "";
  DType dtype = DType::f32;
  Rounding rounding{};
  Arithmetic arithmetic{};
};
const Way ways[] = {{"tf32", DType::f32, as_tf32, {.operand = cut_to_tf32}},
                    {"acc16", DType::f16, as_acc16, {.sum = to_f16, .result = to_f16}},
                    {"f16", DType::f16, as_the_type, {.result = to_f16}},
                    {"bf16", DType::bf16, as_the_type, {.result = to_bf16}},
                    {"f32", DType::f32, as_the_type, {.sum = to_f32, .result = to_f32}}};

TEST(AllowedError, IsSomeTimesWhatHonestRoundingDoes) {
  for (const Way& way : ways) {
    for (const std::size_t k : {1U, 2U, 64U, 1000U}) {
      const GemmShape shape{.m = 24, .n = 300, .k = k};
      const std::size_t columns = gemm_columns_checked(shape, way.dtype, way.rounding);
      const double error = row_error(shape, columns, way.arithmetic);
      const double allowed = gemm_allowed_error(shape, way.dtype, way.rounding);
      EXPECT_LT(error, allowed / 1.5) << way.name << " k=" << k;
      if (k < 64) continue;
      EXPECT_GT(error, allowed / 40) << way.name << " k=" << k << ": it would forgive everything";
    }
  }
}

TEST(AllowedError, OfARoundingIsNotEnoughForTheNextCoarserOne) {
  const GemmShape shape{.m = 24, .n = 300, .k = 1000};
  EXPECT_GT(row_error(shape, 300, {.operand = cut_to_tf32}), gemm_allowed_error(shape, DType::f32, as_the_type))
      << "tf32 passes for f32";
  EXPECT_GT(row_error(shape, 256, {.sum = to_f16, .result = to_f16}),
            gemm_allowed_error(shape, DType::f16, as_the_type))
      << "sums in f16 pass for sums in f32";
}

TEST(AllowedError, IsLessThanOneElement) {
  for (const Way& way : ways) {
    for (const std::size_t n : {16U, 512U, 4096U, 16384U}) {
      const double element = std::sqrt(static_cast<double>(n)) / 3;
      EXPECT_LT(gemm_allowed_error({.m = n, .n = n, .k = n}, way.dtype, way.rounding), 0.8 * element)
          << way.name << " n=" << n;
    }
  }
}

TEST(AllowedError, OfFp8IsThatOfItsResults) {
  const GemmShape shape{.m = 64, .n = 512, .k = 512};
  EXPECT_EQ(gemm_allowed_error(shape, DType::e4m3, {}), gemm_allowed_error(shape, DType::bf16, {}));
  EXPECT_EQ(gemm_columns_checked(shape, DType::e4m3, {}), gemm_columns_checked(shape, DType::bf16, {}));
}

TEST(GemmCeiling, IsNamedByTheKernelAndOnTheCpuByTheType) {
  DeviceInfo device;
  for (const char* name : {"f64_fma", "f32_fma", "bf16_dot", "i8_dot", "f64_matrix", "f16_matrix"})
    device.ceilings[name] = {};
  const std::map<DType, std::string> of_cpu{
      {DType::f64, "f64_fma"}, {DType::f32, "f32_fma"}, {DType::bf16, "bf16_dot"}, {DType::i8, "i8_dot"}};
  for (const KernelId& id : table_of<ops::Gemm>().ids()) {
    const CeilingRule rule = gemm_ceiling({.kernel = id}, device);
    const CeilingRule nothing = gemm_ceiling({.kernel = id}, {});
    if (id.backend == "test") continue;  // a test's own
    if (id.backend != "cpu") {
      EXPECT_NE(rule.name, "") << id.variant;
      EXPECT_EQ(nothing.name, rule.name) << "the kernel knows";
      continue;
    }
    const auto known = of_cpu.find(id.dtype);
    EXPECT_EQ(rule.name, known == of_cpu.end() ? "" : known->second) << id.variant;
    EXPECT_EQ(nothing.name, "");
    EXPECT_EQ(nothing.why_none, "nothing tells the peak of " + std::string(name_of(id.dtype)) + " on this device");
  }
}

TEST(AllowedError, IsNoneForIntegers) { EXPECT_EQ(gemm_allowed_error({.m = 64, .n = 64, .k = 64}, DType::i8, {}), 0); }

// 2^32 squared is 0 in a size_t: nothing would be allocated, and the kernel would write 2^64 elements.
TEST(GemmJob, SkipsWhatNoIntegerCounts) {
  const Case at{.kernel = {"cpu", "blocked", DType::f32}, .mode = Mode::isolated};
  warpmark::Setup setup({}, at);
  constexpr std::size_t n = std::size_t{1} << 32U;
  EXPECT_THROW((void)gemm_job(setup, {.m = n, .n = n, .k = n}), Skipped);
}

}  // namespace
}  // namespace warpmark
