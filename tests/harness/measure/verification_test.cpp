// SPDX-License-Identifier: Apache-2.0
// No wrong answer gets a number: what is spoiled before, while and after the samples are taken, and what was never
// written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/harness/measure/rig.h"

namespace warpmark {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t set_up = 2, warm_up = 3, samples = 10;

std::function<void(std::int64_t, std::span<double>)> one_element(std::int64_t from_launch, std::size_t element,
                                                                 double value) {
  return [=](std::int64_t launch, std::span<double> result) {
    if (launch >= from_launch) result[element] = value;
  };
}

TEST(Verification, PassesARightResult) {
  Rig rig;
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::ok) << record.why;
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->error, 0);
  EXPECT_EQ(rig.device().launches, set_up + warm_up + samples) << "what the tests below count on";
}

TEST(Verification, FailsAWrongElementAnywhereBeforeTheSamples) {
  for (const std::size_t element : {std::size_t{0}, twice_n / 2, twice_n - 1}) {
    for (const double wrong : {nan, 0.0, 3.0, std::numeric_limits<double>::infinity()}) {
      Rig rig;
      rig.script().spoil = one_element(0, element, wrong);
      const Record record = rig.measure_twice();
      EXPECT_EQ(record.status, Status::failed) << element << " " << wrong;
      EXPECT_THAT(record.why, StartsWith("wrong result before the samples: off by "));
      EXPECT_THAT(record.metrics, IsEmpty());
      EXPECT_THAT(record.samples.seconds, IsEmpty());
      EXPECT_EQ(rig.device().launches, set_up);
    }
  }
}

TEST(Verification, FailsAKernelThatGoesWrongOnlyAfterManyLaunches) {
  for (const std::int64_t from : {set_up, set_up + warm_up, set_up + warm_up + samples - 1}) {
    Rig rig;
    rig.script().spoil = one_element(from, 500, 0.25);
    const Record record = rig.measure_twice();
    EXPECT_EQ(record.status, Status::failed) << "from launch " << from;
    EXPECT_THAT(record.why, StartsWith("wrong result after the samples: off by "));
    EXPECT_THAT(record.metrics, IsEmpty());
    EXPECT_FALSE(record.verification->ok());
  }
}

TEST(Verification, DoesNotSeeWhatGoesWrongAfterIt) {
  Rig rig;
  rig.script().spoil = one_element(set_up + warm_up + samples, 500, 0.25);
  EXPECT_EQ(rig.measure_twice().status, Status::ok);
}

TEST(Verification, FailsADestinationThatIsNeverWritten) {
  Rig rig;
  rig.script().writes = [](std::int64_t) { return false; };
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_EQ(record.why, "wrong result before the samples: off by nan, 0 is allowed");
}

TEST(Verification, FailsAKernelThatWritesNothingMoreOnceItWasChecked) {
  Rig rig;
  rig.script().writes = [](std::int64_t launch) { return launch < set_up; };
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_EQ(record.why, "wrong result after the samples: off by nan, 0 is allowed");
  EXPECT_TRUE(std::isnan(record.verification->error)) << "worse than the right result before";
}

TEST(Verification, AsksNothingOfSetsThatNoSampleReached) {
  Rig rig;
  rig.device().change_info().last_level_cache_bytes = 16 * twice_n * 30;  // 90 sets, of which 3 + 10 are launched
  const Record record = rig.measure_twice();
  EXPECT_EQ(record.about.at("operand_sets"), 90);
  EXPECT_EQ(record.status, Status::ok) << record.why;
}

TEST(Verification, KeepsTheWorseVerdictOfBothTimes) {
  for (const bool later_is_worse : {true, false}) {
    Rig rig;
    Benchmark benchmark = twice();
    benchmark.job = [](warpmark::Setup& setup) {
      Job job{.turns = {twice_turn(setup)}};
      job.turns[0].verify = [&device = setup.device()](Verifier&) {
        return Verdict{.error = *device.clock_hz(), .allowed = 5};  // a reading stands in for what a check finds
      };
      return job;
    };
    rig.script().clock_hz = later_is_worse ? std::vector<double>{1, 4} : std::vector<double>{4, 1};
    const Record record = rig.measure(benchmark);
    EXPECT_EQ(record.status, Status::ok) << record.why;
    EXPECT_EQ(record.verification->error, 4);
  }
}

TEST(Verification, NamesWhatIsAllowed) {
  Rig rig;
  Benchmark benchmark = twice();
  benchmark.job = [](warpmark::Setup& setup) {
    Job job{.turns = {twice_turn(setup)}};
    job.turns[0].verify = [](Verifier&) { return Verdict{.error = 7, .allowed = 2}; };
    return job;
  };
  EXPECT_THAT(rig.measure(benchmark).why, HasSubstr("off by 7, 2 is allowed"));
}

TEST(Verdict, IsNeverOkForNan) {
  EXPECT_FALSE((Verdict{.error = nan, .allowed = 2}.ok()));
  EXPECT_FALSE((Verdict{.error = 2.1, .allowed = 2}.ok()));
  EXPECT_TRUE((Verdict{.error = 2, .allowed = 2}.ok()));
  EXPECT_FALSE((Verdict{.error = 0, .allowed = nan}.ok()));
}

}  // namespace
}  // namespace warpmark
