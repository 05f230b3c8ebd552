// SPDX-License-Identifier: Apache-2.0
// What fits into a time that is given, by cases whose estimates are made by hand.
#include "harness/run/time_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/run/plan_estimate.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// Each takes as many seconds as gigabytes: the protocol takes none.
Work gigabytes(const Case& at, const DeviceInfo&) { return {.bytes_read = 1e9 * static_cast<double>(at.integer("s"))}; }

const Benchmark copy{.name = "memory/copy", .work = gigabytes};
const Benchmark triad{.name = "memory/triad", .work = gigabytes};
const Benchmark gemm{.name = "gemm/square", .work = gigabytes};
const Protocol nothing{.min_seconds = 0, .max_seconds = 0, .min_warmup_seconds = 0, .max_warmup_seconds = 0};
const DeviceInfo cpu{.id = "cpu:0", .backend = "cpu"};

PlannedCase planned(const Benchmark& benchmark, std::int64_t seconds, const std::string& id) {
  return {.benchmark = &benchmark, .at = {.at = {{"s", seconds}}}, .id = id};
}

/// In a suite's order: two sizes of each.
const std::vector<PlannedCase> cases{planned(copy, 1, "copy small"),   planned(copy, 2, "copy large"),
                                     planned(triad, 1, "triad small"), planned(triad, 2, "triad large"),
                                     planned(gemm, 1, "gemm small"),   planned(gemm, 2, "gemm large")};

bool nothing_done(const MeasurementKey& /*key*/) { return false; }

/// That has just begun.
TimeBudget budget_of(std::optional<double> seconds, int repeats = 3) {
  return {{.seconds = seconds}, cases, repeats, nothing, cpu};
}

TEST(TimeBudget, OfNothingGivenHasRoomForEverything) {
  const TimeBudget budget = budget_of(std::nullopt);
  EXPECT_TRUE(budget.affords({"gemm large", 2}, nothing_done));
  EXPECT_TRUE(std::isinf(budget.seconds_to_cut()));
}

TEST(TimeBudget, PrefersTheLargestOfEveryBenchmark) {
  // 6 s, and 0.15 s for each of two workers.
  EXPECT_THAT(budget_of(6.5).affordable(nothing_done),
              UnorderedElementsAre(MeasurementKey("copy large", 0), MeasurementKey("triad large", 0),
                                   MeasurementKey("gemm large", 0)));
}

TEST(TimeBudget, DoesNotTakeACaseThatRunsForAGivenTimeForFasterThanThat) {
  Benchmark lasting = gemm;
  lasting.lasts = [](const Case&) { return 60.0; };
  const std::vector<PlannedCase> two{planned(lasting, 1, "lasting"), planned(copy, 2, "copy")};
  TimeBudget budget({.seconds = 30}, two, 1, nothing, cpu);
  EXPECT_FALSE(budget.affords({"lasting", 0}, nothing_done));
  budget.took("copy", 0.02, true);  // a hundred times as fast as was thought
  EXPECT_FALSE(budget.affords({"lasting", 0}, nothing_done));
  EXPECT_TRUE(TimeBudget({.seconds = 63}, two, 1, nothing, cpu).affords({"lasting", 0}, nothing_done));
}

TEST(TimeBudget, HasOneRepeatOfACaseThatIsMeasuredOnce) {
  std::vector<PlannedCase> some{planned(gemm, 1, "once"), planned(copy, 1, "thrice")};
  some[0].once = true;
  EXPECT_EQ(TimeBudget({.seconds = 1000}, some, 3, nothing, cpu).affordable(nothing_done).size(), 4U);
}

TEST(TimeBudget, PrefersAFirstRepeatOfEverything) {
  const auto fits = budget_of(9.5).affordable(nothing_done);
  EXPECT_EQ(fits.size(), 6U);
  for (const MeasurementKey& key : fits) EXPECT_EQ(key.second, 0) << key.first;
  EXPECT_EQ(budget_of(12).affordable(nothing_done).size(), 7U) << "and one of the second";
}

TEST(TimeBudget, PassesOverWhatIsLongerThanAllThatIsLeft) {
  EXPECT_THAT(budget_of(1.5, 1).affordable(nothing_done), ElementsAre(MeasurementKey("copy small", 0)))
      << "the small ones, of which the first of the plan comes first";
}

TEST(TimeBudget, LearnsFromWhatWasMeasured) {
  TimeBudget budget = budget_of(9.5);
  budget.took("copy large", 6, true);  // three times what was estimated, so the others will take that too
  const auto is_done = [](const MeasurementKey& key) { return key == MeasurementKey("copy large", 0); };
  EXPECT_THAT(budget.affordable(is_done), ElementsAre(MeasurementKey("triad large", 0)));
  EXPECT_TRUE(budget.affords({"triad large", 0}, is_done));
  EXPECT_FALSE(budget.affords({"gemm large", 0}, is_done));
  TimeBudget skipping = budget_of(9.5);
  skipping.took("copy large", 1e-3, false);  // that one was not measured, which says nothing of others
  EXPECT_LT(skipping.affordable(nothing_done).size(), 10U);
  TimeBudget faster = budget_of(9.5);
  faster.took("copy large", 0.2, true);
  EXPECT_EQ(faster.affordable(nothing_done).size(), 18U);
}

TEST(TimeBudget, EndsWhatRunsATwelfthLater) {
  const TimeBudget budget = budget_of(120);
  EXPECT_GT(budget.seconds_to_cut(), 120);
  EXPECT_LE(budget.seconds_to_cut(), 130);
  const TimeBudget over{
      {.seconds = 1, .began = TimeBudget::Clock::now() - std::chrono::seconds(5)}, cases, 1, nothing, cpu};
  EXPECT_EQ(over.seconds_to_cut(), 0);
  EXPECT_TRUE(over.affordable(nothing_done).empty());
}

}  // namespace
}  // namespace warpmark
