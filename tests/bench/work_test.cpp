// SPDX-License-Identifier: Apache-2.0
// What each benchmark says that a launch moves and computes, against values worked out by hand, and what bounds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/benchmark.h"
#include "harness/device/device.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

const Benchmark& named(std::string_view name) {
  const auto found =
      std::find_if(benchmarks().begin(), benchmarks().end(), [&](const Benchmark& b) { return b.name == name; });
  if (found == benchmarks().end()) throw std::logic_error("no benchmark " + std::string(name));
  return *found;
}

DeviceInfo with_cache(std::int64_t bytes) {
  DeviceInfo device;
  device.last_level_cache_bytes = bytes;
  return device;
}

Work triad_at(const AxisValue& footprint) {
  const Case at{.kernel = {"cpu", "plain", DType::f64}, .at = {{"footprint", footprint}}};
  return named("memory/triad").work(at, with_cache(32 << 20));
}

Work gemm_at(std::int64_t n) {
  const Case at{.kernel = {"cpu", "blocked", DType::f32}, .at = {{"n", n}}};
  return named("gemm").work(at, with_cache(32 << 20));
}

TEST(TriadWork, ReadsTwoArraysAndWritesOneInEveryPass) {
  // 16 KiB / 24 B, rounded up: 683 elements, 255 passes, so 174165 elements of 8 B.
  EXPECT_EQ(triad_at(16384).bytes_read, 2786640);
  EXPECT_EQ(triad_at(16384).bytes_written, 1393320);
  EXPECT_EQ(triad_at(16384).flops, 348330);
  EXPECT_EQ(triad_at(16384).bytes(), 4179960);
}

TEST(TriadWork, IsOnePassInMemory) {
  // 1 GiB / 24 B, rounded up: 44739243 elements.
  EXPECT_EQ(triad_at("memory").bytes_read, 715827888);
  EXPECT_EQ(triad_at("memory").bytes_written, 357913944);
  EXPECT_EQ(triad_at("memory").flops, 89478486);
}

TEST(GemmWork, IsTwoNCubedAndEachMatrixOnce) {
  EXPECT_EQ(gemm_at(512).flops, 268435456);  // 2 x 512^3 = 2^28
  EXPECT_EQ(gemm_at(512).bytes_read, 2097152);
  EXPECT_EQ(gemm_at(512).bytes_written, 1048576);
  EXPECT_EQ(gemm_at(1).flops, 2);
  EXPECT_EQ(gemm_at(1).bytes(), 12);
  EXPECT_EQ(gemm_at(100000).flops, 2e15) << "beyond 32 bits";
}

TEST(Benchmarks, AreBoundedByWhatBoundsThem) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
  EXPECT_THAT(names, IsSupersetOf({"gemm", "memory/triad"}));
  EXPECT_EQ(named("gemm").ceiling({}, {}).name, "f32_fma");
  EXPECT_EQ(named("gemm").probe, "f32_fma");
  EXPECT_EQ(named("gemm").rate.name, "flop_rate");
  EXPECT_EQ(named("memory/triad").rate.name, "bandwidth");
  EXPECT_THAT(named("gemm").modes, ElementsAre(Mode::isolated, Mode::batch));
  EXPECT_THAT(named("memory/triad").modes, ElementsAre(Mode::batch));
}

TEST(Benchmarks, AreComplete) {
  for (const Benchmark& benchmark : benchmarks()) {
    EXPECT_NE(benchmark.about, "") << benchmark.name;
    EXPECT_FALSE(benchmark.axes.empty()) << benchmark.name;
    EXPECT_FALSE(benchmark.modes.empty()) << benchmark.name;
    EXPECT_NE(benchmark.work, nullptr) << benchmark.name;
    EXPECT_NE(benchmark.ceiling, nullptr) << benchmark.name;
    EXPECT_NE(benchmark.job, nullptr) << benchmark.name;
    EXPECT_FALSE(cases_of(benchmark, "cpu").empty()) << benchmark.name << " has a baseline on every machine";
    for (const Case& at : cases_of(benchmark, "cpu"))
      EXPECT_GT(benchmark.rate.amount(benchmark.work(at, with_cache(1 << 20))), 0);
  }
}

}  // namespace
}  // namespace warpmark
