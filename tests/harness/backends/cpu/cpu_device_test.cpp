// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "harness/core/bf16.h"
#include "harness/core/error.h"
#include "harness/core/uniform.h"

namespace warpmark::cpu {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::StartsWith;

/// One for all tests: making it loads the topology, and its pool pins the thread.
CpuDevice& device() {
  static CpuDevice device;
  return device;
}

template <class T>
std::vector<T> filled(std::size_t n, DType dtype, std::uint64_t seed) {
  const Buffer buffer = device().allocate(n * sizeof(T));
  const auto stream = device().stream();
  stream->fill_random(buffer.data(), n, dtype, seed);
  std::vector<T> values(n);
  stream->copy_out(values.data(), buffer.data(), n * sizeof(T));
  return values;
}

TEST(CpuDevice, KnowsItself) {
  const DeviceInfo& info = device().info();
  EXPECT_EQ(info.id, "cpu:0");
  EXPECT_EQ(info.backend, "cpu");
  EXPECT_GE(info.units, 1);
  EXPECT_EQ(info.facts.at("cpus").size(), static_cast<std::size_t>(info.units));
  EXPECT_EQ(device().pool().size(), static_cast<std::size_t>(info.units));
  EXPECT_FALSE(info.ceilings.at("memory_bandwidth").value);
  EXPECT_NE(info.ceilings.at("memory_bandwidth").derivation, "");
}

TEST(CpuDevice, RefusesWhatDoesNotFitWithBothSizes) {
  try {
    (void)device().allocate(std::size_t{1} << 60);
    FAIL() << "a machine with an exbibyte";
  } catch (const Skipped& e) {
    EXPECT_THAT(e.what(), AllOf(StartsWith("needs 1024 PiB more memory, "), EndsWith(" is free")));
  }
}

TEST(CpuDevice, LeavesATenthOfTheMemoryToOthers) {
  const std::int64_t available = device().memory_available();
  EXPECT_GT(available, 0);
  EXPECT_THROW((void)device().allocate(static_cast<std::size_t>(available) * 2), Skipped);
}

TEST(CpuDevice, GivesMemoryThatCanBeWritten) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4097}, std::size_t{3} << 20}) {
    const Buffer buffer = device().allocate(bytes);
    EXPECT_EQ(buffer.bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U) << "kernels store whole vectors";
    std::memset(buffer.data(), 1, bytes);
  }
}

TEST(CpuStream, FillsByTheSharedFormulaAtAnySize) {
  for (const std::size_t n : {1U, 2U, 3U, 63U, 64U, 65U, 1000U, 4099U}) {
    const std::vector<double> doubles = filled<double>(n, DType::f64, 7);
    const std::vector<float> floats = filled<float>(n, DType::f32, 7);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(doubles[i], uniform(7, i)) << i << " of " << n;
      ASSERT_EQ(floats[i], static_cast<float>(uniform(7, i))) << i << " of " << n;
    }
  }
  EXPECT_NE(filled<double>(1, DType::f64, 8)[0], uniform(7, 0));
}

TEST(CpuStream, SaysWhichTypesItCannotFill) {
  const Buffer buffer = device().allocate(64);
  EXPECT_THROW(device().stream()->fill_random(buffer.data(), 8, DType::e4m3, 1), Unsupported);
}

TEST(CpuStream, FillsNarrowTypesAlike) {
  const std::vector<double> wide = filled<double>(1000, DType::f64, 5);
  const std::vector<Bf16> narrow = filled<Bf16>(1000, DType::bf16, 5);
  const std::vector<std::int8_t> bytes = filled<std::int8_t>(1000, DType::i8, 5);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(narrow[i]), wide[i], epsilon_of(DType::bf16) / 2);
    EXPECT_EQ(bytes[i], std::floor(wide[i] * 128));
  }
  const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  EXPECT_LT(*least, -120);
  EXPECT_GT(*most, 120);
}

TEST(CpuStream, PoisonsEveryByteAndNoMore) {
  for (const std::size_t n : {1U, 63U, 64U, 65U, 4099U}) {
    const Buffer buffer = device().allocate(n + 1);
    std::memset(buffer.data(), 0, n + 1);
    const auto stream = device().stream();
    stream->poison(buffer.data(), n);
    std::vector<unsigned char> bytes(n + 1);
    stream->copy_out(bytes.data(), buffer.data(), n + 1);
    EXPECT_EQ(bytes.back(), 0) << n;
    bytes.pop_back();
    EXPECT_THAT(bytes, Each(0xff)) << n;
  }
  double nan = 0;
  std::memset(&nan, 0xff, sizeof nan);
  EXPECT_TRUE(std::isnan(nan));
}

TEST(CpuStream, TimesWhatItRunsOnce) {
  int runs = 0;
  EXPECT_GE(device().stream()->time([&](Stream&) { ++runs; }), 0);
  EXPECT_EQ(runs, 1);
}

TEST(CpuDevice, ProbesItsMultiplyAddUnits) {
  const auto rate = device().probe("f32_fma");
  ASSERT_TRUE(rate);
  EXPECT_GT(*rate, 0);
  EXPECT_TRUE(std::isfinite(*rate));
  EXPECT_FALSE(device().probe("tensor"));
}

TEST(CpuDevice, MeasuresACeilingOrTakesOver) {
  CpuDevice own;
  EXPECT_FALSE(own.info().ceilings.contains("f32_fma"));
  own.measure_ceilings();
  const Ceiling& ceiling = own.info().ceilings.at("f32_fma");
  EXPECT_EQ(ceiling.kind, CeilingKind::measured);
  EXPECT_EQ(ceiling.unit, "FLOP/s");
  EXPECT_EQ(own.info().ceilings.at("i8_dot").unit, "OP/s");
  EXPECT_GT(ceiling.value.value_or(0), 0);
  own.adopt_ceilings({{"f32_fma", {.value = 12.5, .unit = "FLOP/s", .kind = CeilingKind::measured}}});
  EXPECT_EQ(own.info().ceilings.at("f32_fma").value, 12.5);
  EXPECT_FALSE(own.info().ceilings.contains("memory_bandwidth"));
}

TEST(CoreClock, IsANumberWhereItCanBeHad) {
#if defined(__x86_64__)
  ASSERT_TRUE(device().clock_hz());
  EXPECT_GT(*device().clock_hz(), 0);
#else
  EXPECT_FALSE(device().clock_hz());
#endif
}

}  // namespace
}  // namespace warpmark::cpu
