// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/isa.h"

#include <gtest/gtest.h>

#include <array>

#include "harness/backends/cpu/fma_probe.h"

namespace warpmark::cpu {
namespace {

TEST(Isa, BaselineIsAlwaysThere) { EXPECT_TRUE(supported(Isa::baseline)); }

TEST(Isa, HasNames) {
  EXPECT_EQ(name_of(Isa::avx2), "avx2");
  EXPECT_EQ(name_of(Isa::avx512), "avx512");
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

TEST(FmaLoop, CountsItsFlop) {
  // Two FLOP x lanes x chains x rounds.
  EXPECT_EQ(fma_loop_baseline().run(10), 2.0 * 4 * 12 * 10);
#if defined(__x86_64__)
  if (supported(Isa::avx2)) {
    EXPECT_EQ(fma_loop_avx2().run(10), 2.0 * 8 * 12 * 10);
  }
  if (supported(Isa::avx512)) {
    EXPECT_EQ(fma_loop_avx512().run(10), 2.0 * 16 * 24 * 10);
  }
#endif
}

}  // namespace
}  // namespace warpmark::cpu
