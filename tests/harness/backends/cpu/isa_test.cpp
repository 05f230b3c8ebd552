// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/isa.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {
namespace {

TEST(Isa, BaselineIsAlwaysThere) { EXPECT_TRUE(supported(Isa::baseline)); }

TEST(Isa, HasNames) {
  EXPECT_EQ(name_of(Isa::avx2), "avx2");
  EXPECT_EQ(name_of(Isa::avx512), "avx512");
  EXPECT_EQ(name_of(Isa::avx512_bf16), "avx512_bf16");
  EXPECT_EQ(name_of(Isa::avx512_fp16), "avx512_fp16");
  EXPECT_EQ(name_of(Isa::avx512_vnni), "avx512_vnni");
  EXPECT_EQ(name_of(Isa::avx_vnni), "avx_vnni");
  EXPECT_EQ(name_of(Isa::amx_bf16), "amx_bf16");
  EXPECT_EQ(name_of(Isa::amx_int8), "amx_int8");
#if defined(__x86_64__)
  EXPECT_EQ(name_of(Isa::baseline), "x86-64-v2");
#endif
}

TEST(Widest, IsTheWidestThatRunsHere) {
  const std::array loops{Compiled<int>{Isa::baseline, 1}, Compiled<int>{Isa::avx2, 2}, Compiled<int>{Isa::avx512, 3}};
  const Compiled<int>& chosen = widest<int>(loops);
  EXPECT_TRUE(supported(chosen.isa));
  for (const Compiled<int>& loop : loops) EXPECT_FALSE(supported(loop.isa) && loop.isa > chosen.isa);
}

TEST(Widest, IsTheBaselineWhereThereIsNothingElse) {
  const std::array loops{Compiled<int>{Isa::baseline, 1}};
  EXPECT_EQ(widest<int>(loops).run, 1);
}

TEST(ComputeLoops, CountTwoOperationsForEachMultiplyAdd) {
  // Two x lanes x chains x rounds.
  EXPECT_EQ(compute_loops_baseline.f32_fma(10), 2.0 * 4 * 12 * 10);
  EXPECT_EQ(compute_loops_baseline.f64_fma(10), 2.0 * 2 * 12 * 10);
#if defined(__x86_64__)
  if (supported(Isa::avx2)) {
    EXPECT_EQ(compute_loops_avx2.f32_fma(10), 2.0 * 8 * 12 * 10);
    EXPECT_EQ(compute_loops_avx2.f64_fma(10), 2.0 * 4 * 12 * 10);
  }
  if (supported(Isa::avx512)) {
    EXPECT_EQ(compute_loops_avx512.f32_fma(10), 2.0 * 16 * 24 * 10);
    EXPECT_EQ(compute_loops_avx512.f64_fma(10), 2.0 * 8 * 24 * 10);
  }
  if (supported(Isa::avx512_bf16)) {
    EXPECT_EQ(compute_loops_avx512_bf16.bf16_dot(10), 2.0 * 32 * 24 * 10);
  }
  if (supported(Isa::avx512_fp16)) {
    EXPECT_EQ(compute_loops_avx512_fp16.f16_fma(10), 2.0 * 32 * 24 * 10);
  }
  if (supported(Isa::amx_bf16)) {
    EXPECT_EQ(compute_loops_amx_bf16.bf16_dot(10), 2.0 * 16 * 16 * 32 * 6 * 10);
  }
  if (supported(Isa::amx_int8)) {
    EXPECT_EQ(compute_loops_amx_int8.i8_dot(10), 2.0 * 16 * 16 * 64 * 6 * 10);
  }
  if (supported(Isa::avx512_vnni)) {
    EXPECT_EQ(compute_loops_avx512_vnni.i8_dot(10), 2.0 * 64 * 24 * 10);
  }
#endif
}

TEST(ComputeProbes, SeeWhatRegistersHold) {
  // A register holds half as many f64 as f32, twice as many f16 and bf16, four times as many int8, and no unit of a CPU
  // is faster than that beside the others; the slowest known bf16 unit does half of f32. A matrix engine does 16 times
  // what f32 does, of int8 twice that, and was seen at 6 times. Half as much again is for the clock.
  struct Bounds {
    double least = 0, most = 0;
  };
  const std::map<std::string, Bounds> times{
      {"f64_fma", {0.4, 0.75}},
      {"f16_fma", {1.3, 3}},
      {"bf16_dot", supported(Isa::amx_bf16) ? Bounds{.least = 4, .most = 24} : Bounds{.least = 0.4, .most = 3}},
      {"i8_dot", supported(Isa::amx_int8) ? Bounds{.least = 8, .most = 48} : Bounds{.least = 2, .most = 6}}};
  ThreadPool pool({0});
  ComputeProbes probes(pool);
  const double f32 = probes.find("f32_fma")->rate();
  for (const auto& [unit, bounds] : times) {
    if (ComputeProbe* const probe = probes.find(unit)) {
      const double rate = probe->rate();
      EXPECT_LT(rate, bounds.most * f32) << unit << ": are all its chains still there?";
      EXPECT_GT(rate, bounds.least * f32) << unit << ": does it keep its sums in registers?";
    }
  }
}

TEST(ComputeProbes, FindEveryUnitThatTheMachineHas) {
  ThreadPool pool({0});
  ComputeProbes probes(pool);
  for (const std::string_view unit : {"f32_fma", "f64_fma"}) {
    ASSERT_NE(probes.find(unit), nullptr) << unit;
    EXPECT_GT(probes.find(unit)->rate(), 1e8) << unit;
  }
  EXPECT_EQ(probes.find("f32_fma"), probes.find("f32_fma"));
  EXPECT_EQ(probes.find("warp_core"), nullptr);
  EXPECT_EQ(probes.find("bf16_dot") != nullptr, supported(Isa::avx512_bf16) || supported(Isa::amx_bf16));
  EXPECT_EQ(probes.find("i8_dot") != nullptr, supported(Isa::avx512_vnni) || supported(Isa::amx_int8));
  EXPECT_EQ(probes.find("f16_fma") != nullptr, supported(Isa::avx512_fp16));
}

}  // namespace
}  // namespace warpmark::cpu
