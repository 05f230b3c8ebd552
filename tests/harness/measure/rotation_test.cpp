// SPDX-License-Identifier: Apache-2.0
// Isolated samples take sets of operands round that together are at least three times the last-level cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using ::testing::ElementsAreArray;
using ::testing::SizeIs;

std::vector<int>& order() {
  static std::vector<int> turns;
  return turns;
}

/// `twice` with sets of one mebibyte, and a note of the set that each launch used.
Benchmark noting() {
  Benchmark benchmark = twice();
  benchmark.job = [](warpmark::Setup& setup) {
    order().clear();
    int made = 0;
    return Job{.turns = setup.rotate(std::size_t{1} << 20, [&made](Setup& s) {
      Turn turn = twice_turn(s);
      turn.launch = [inner = turn.launch, set = made++](Stream& stream) {
        order().push_back(set);
        inner(stream);
      };
      return turn;
    })};
  };
  return benchmark;
}

std::size_t sets_for(std::int64_t cache_bytes, Mode mode = Mode::isolated) {
  Rig rig;
  rig.device().change_info().last_level_cache_bytes = cache_bytes;
  return rig.measure(noting(), mode).about.at("operand_sets").get<std::size_t>();
}

constexpr std::int64_t mib = 1 << 20;

TEST(Rotation, TakesTheSetsRoundFromWarmUpIntoSamples) {
  Rig rig;
  rig.device().change_info().last_level_cache_bytes = mib;
  const Record record = rig.measure(noting());
  ASSERT_EQ(record.status, Status::ok) << record.why;
  // Set-up, three windows and ten samples: never the set that the launch before used.
  EXPECT_THAT(order(), ElementsAreArray({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}));
}

TEST(Rotation, DoesNotStartAnewWithTheSamples) {
  Rig rig;
  rig.device().change_info().last_level_cache_bytes = 4 * mib / 3 - 1;  // four sets; the warm-up ends after the third
  ASSERT_EQ(rig.measure(noting()).status, Status::ok);
  EXPECT_EQ(order().at(4 + 3), 3);
}

TEST(Rotation, CoversThreeTimesTheLastLevelCache) {
  EXPECT_EQ(sets_for(mib), 3U);
  EXPECT_EQ(sets_for(mib + 1), 4U);
  EXPECT_EQ(sets_for(10 * mib), 30U);
}

TEST(Rotation, HasTwoSetsAtLeastAnd4096AtMost) {
  EXPECT_EQ(sets_for(0), 2U);
  EXPECT_EQ(sets_for(mib / 4), 2U);
  EXPECT_EQ(sets_for(5000 * mib), 4096U);
}

TEST(Rotation, IsOneSetInBatchMode) {
  EXPECT_EQ(sets_for(10 * mib, Mode::batch), 1U);
  EXPECT_EQ(std::set<int>(order().begin(), order().end()).size(), 1U);
}

TEST(Rotation, GivesEverySetOperandsOfItsOwn) {
  Rig rig;
  rig.device().change_info().last_level_cache_bytes = mib;
  ASSERT_EQ(rig.measure(noting()).status, Status::ok);
  EXPECT_EQ(rig.device().fills, 3) << "a seed per set";
}

}  // namespace
}  // namespace warpmark
