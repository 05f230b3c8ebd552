// SPDX-License-Identifier: Apache-2.0
// How many bytes the arrays of a memory benchmark take, and when memory bounds it; worked out by hand.
#include "bench/memory/footprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.h"
#include "harness/run/plan.h"
#include "harness/run/plan_estimate.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t gib = std::int64_t{1} << 30;

Case with(const AxisValue& footprint) { return {.at = {{"footprint", footprint}}}; }

DeviceInfo with_cache(std::int64_t bytes) {
  DeviceInfo device;
  device.last_level_cache_bytes = bytes;
  return device;
}

TEST(FootprintAxis, GoesFromTheInnermostCacheToMemory) {
  std::vector<std::string> values;
  for (const AxisValue& value : footprint_axis().values) values.push_back(text_of(value));
  EXPECT_EQ(footprint_axis().name, "footprint");
  EXPECT_THAT(values, ElementsAre("16384", "65536", "262144", "1048576", "4194304", "16777216", "67108864", "268435456",
                                  "memory"));
}

TEST(Footprint, IsRoundedUpToWholeElements) {
  const Footprint f(with(16384), with_cache(mib), 24);
  EXPECT_EQ(f.n(), 683U);  // 682.67
  EXPECT_EQ(f.bytes(), 16392U);
  EXPECT_EQ(f.repeat(), 127U);  // 2097152 / 16392 = 127.9
  EXPECT_EQ(Footprint(with(1), with_cache(mib), 24).n(), 1U);
  EXPECT_EQ(Footprint(with(24), with_cache(mib), 24).n(), 1U);
  EXPECT_EQ(Footprint(with(25), with_cache(mib), 24).n(), 2U);
}

TEST(Footprint, IsWalkedOverUntilEveryCoreHasMovedTwoMebibytes) {
  EXPECT_EQ(Footprint(with(2 * mib), with_cache(mib), 8).repeat(), 1U);
  EXPECT_EQ(Footprint(with(1 * mib), with_cache(mib), 8).repeat(), 2U);
  DeviceInfo wide = with_cache(mib);
  wide.units = 64;
  EXPECT_EQ(Footprint(with(1 * mib), wide, 8).repeat(), 128U);
  EXPECT_EQ(Footprint(with(268435456), with_cache(mib), 24).repeat(), 1U);
}

TEST(Footprint, OfMemoryIsAGibibyteOrFourTimesTheCache) {
  const Footprint small(with("memory"), with_cache(32 * mib), 24);
  EXPECT_EQ(small.n(), 44739243U);  // 2^30 / 24 = 44739242.67
  EXPECT_GE(small.bytes(), static_cast<std::size_t>(gib));
  EXPECT_EQ(small.repeat(), 1U);
  const Footprint large(with("memory"), with_cache(512 * mib), 24);
  EXPECT_EQ(large.n(), 89478486U);  // 2^31 / 24 = 89478485.33
  EXPECT_EQ(Footprint(with("memory"), with_cache(256 * mib), 8).bytes(), static_cast<std::size_t>(gib));
  EXPECT_EQ(Footprint(with("memory"), with_cache(256 * mib + 8), 8).bytes(), static_cast<std::size_t>(gib) + 32);
}

TEST(Footprint, OfMemoryIsNoMoreThanAQuarterOfIt) {
  DeviceInfo small = with_cache(mib);
  small.memory_bytes = 400 * mib;
  EXPECT_EQ(Footprint(with("memory"), small, 8).bytes(), static_cast<std::size_t>(100 * mib));
  small.last_level_cache_bytes = 25 * mib;
  EXPECT_NO_THROW(Footprint(with("memory"), small, 8));
  small.last_level_cache_bytes = 26 * mib;
  EXPECT_THROW(Footprint(with("memory"), small, 8), Skipped);
  EXPECT_NO_THROW(Footprint(with(mib), small, 8)) << "a size in bytes is what was asked for";
}

TEST(Footprint, IsTooSmallForManyCores) {
  DeviceInfo wide = with_cache(mib);
  wide.units = 64;
  EXPECT_THROW(Footprint(with(128 * 1024), wide, 8), Skipped);
  EXPECT_NO_THROW(Footprint(with(256 * 1024), wide, 8));
  wide.units = 4;
  EXPECT_NO_THROW(Footprint(with(24), wide, 24)) << "a few threads start quickly";
}

TEST(Footprint, IsAtLeastOneByte) {
  EXPECT_THROW(Footprint(with(0), with_cache(mib), 24), Skipped);
  EXPECT_THROW(Footprint(with(-1), with_cache(mib), 24), Skipped);
  EXPECT_NO_THROW(Footprint(with(1), with_cache(mib), 24));
}

TEST(Footprint, OfACaseThatWillBeSkippedDoesNotEndThePlan) {
  DeviceInfo wide = with_cache(mib);
  wide.id = "cpu:0";
  wide.backend = "cpu";
  wide.units = 64;
  const Suite suite{.name = "small", .select = {{.benchmarks = "^memory/copy$", .axes = {{"footprint", {65536}}}}}};
  const std::vector<PlannedCase> planned = plan_cases(suite, "", wide);
  ASSERT_FALSE(planned.empty());
  EXPECT_THROW((void)planned.front().benchmark->work(planned.front().at, wide), Skipped);
  EXPECT_EQ(expected_work(planned.front(), wide).bytes(), 0);
  EXPECT_GT(deadline_seconds(planned.front(), suite.protocol, wide), 10);
  EXPECT_GT(estimate(planned, 1, suite.protocol, wide).most, 0);
}

TEST(MemoryCeiling, AppliesFromFourTimesTheLastLevelCacheOn) {
  EXPECT_EQ(memory_ceiling(with(4 * mib), with_cache(mib)).name, "memory_bandwidth");
  EXPECT_EQ(memory_ceiling(with("memory"), with_cache(mib)).name, "memory_bandwidth");
  EXPECT_EQ(memory_ceiling(with("memory"), with_cache(2 * gib)).name, "memory_bandwidth");
  const CeilingRule below = memory_ceiling(with(4 * mib - 1), with_cache(mib));
  EXPECT_EQ(below.name, "");
  EXPECT_EQ(below.why_none,
            "the arrays fit into or near the last-level cache of 1 MiB; a memory ceiling applies from four "
            "times that on");
}

TEST(MemoryCeiling, IsNoneWhereTheCacheIsNotKnown) {
  for (const AxisValue& footprint : {AxisValue(16384), AxisValue(1 * gib), AxisValue("memory")}) {
    const CeilingRule rule = memory_ceiling(with(footprint), with_cache(0));
    EXPECT_EQ(rule.name, "");
    EXPECT_THAT(rule.why_none, HasSubstr("not known"));
  }
}

}  // namespace
}  // namespace warpmark
