// SPDX-License-Identifier: Apache-2.0
// A case whose samples or repeats lie on two levels gives both speeds and their shares instead of a spread.
#include "harness/summary/two_speeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/stats/modes.h"
#include "harness/stats/order.h"
#include "harness/stats/series.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr double flops = 2e9;

/// A repeat of a matrix product of 2 GFLOP with these samples.
Record repeat_of(int repeat, const std::vector<double>& seconds) {
  const std::vector<double> ascending = sorted(seconds);
  Record record =
      made_record({.benchmark = "gemm", .repeat = repeat, .value = flops / median(ascending), .metric = "flop_rate"});
  record.samples.seconds = seconds;
  record.stats =
      Summary{.n = static_cast<std::int64_t>(seconds.size()), .median = median(ascending), .drift = drift(seconds)};
  if (const auto modes = two_modes(seconds))
    record.stats->modes = Modes{.levels = modes->levels, .shares = modes->shares, .switches = modes->switches};
  return record;
}

/// `count` samples; those whose index `slow` picks take 2.5 ms, the others 1 ms.
std::vector<double> samples(int count, const std::function<bool(int)>& slow) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back((slow(i) ? 2.5e-3 : 1e-3) * (1 + 0.001 * (i % 5)));
  return seconds;
}

std::vector<std::string> doubts(const std::vector<Record>& records) {
  const Document document = made_document(records);
  return summarise(document).cases.at(0).doubts;
}

/// A quarter slow, in blocks.
std::vector<Record> switching() {
  std::vector<Record> records;
  for (int repeat = 0; repeat < 3; ++repeat)
    records.push_back(repeat_of(repeat, samples(40, [](int i) { return i / 5 % 4 == 1; })));
  return records;
}

TEST(TwoSpeeds, OfSamplesAreGivenWithSharesAndChanges) {
  // 10 of 40 samples, up and down twice a repeat; 2 GFLOP in 1.002 and 2.505 ms.
  EXPECT_THAT(
      doubts(switching()),
      ElementsAre("two speeds: 2.00 TFLOP/s in 75 % of the samples, 798 GFLOP/s in 25 %, 12 changes between them: "
                  "the clock or the matrix engine switches, or a neighbour on the same host does"));
}

TEST(TwoSpeeds, OfProductsOfIntegersAreTheMatrixEnginesToo) {
  const auto doubts_in = [](const char* unit) {
    std::vector<Record> records = switching();
    for (Record& record : records) record.metrics[0].unit = unit;
    return doubts(records);
  };
  EXPECT_THAT(doubts_in("OP/s"), ElementsAre(HasSubstr("TOP/s in 75 % of the samples, 798 GOP/s in 25 %")));
  EXPECT_THAT(doubts_in("OP/s"), ElementsAre(HasSubstr("the clock or the matrix engine switches")));
  EXPECT_THAT(doubts_in("B/s"), ElementsAre(HasSubstr("something outside the program switches")));
}

TEST(TwoSpeeds, AreNotSaidOfOneWideSpread) {
  std::vector<Record> records;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<double> wide;
    for (int i = 0; i < 40; ++i) wide.push_back(1e-3 * (1 + 0.04 * (i * 7 % 40)) * (1 + 0.1 * repeat));
    records.push_back(repeat_of(repeat, wide));
  }
  EXPECT_THAT(doubts(records), Contains("flop_rate of the repeats lies 18.3 % apart"));  // (1/1.0 - 1/1.2) / (1/1.1)
  EXPECT_THAT(doubts(records), Not(Contains(HasSubstr("two speeds"))));
}

TEST(TwoSpeeds, NameTheClockWhenItSwitchesWithThem) {
  std::vector<Record> records = switching();
  for (Record& record : records)
    for (const double seconds : record.samples.seconds)
      record.samples.clock_hz.push_back(seconds > 2e-3 ? 1.4e9 : 3.5e9);
  EXPECT_THAT(doubts(records),
              ElementsAre(HasSubstr("them: the core clock switches with them (3.50 GHz and 1.40 GHz)")));
  for (Record& record : records) record.samples.clock_hz.assign(40, 3.5e9);
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("the clock or the matrix engine switches")));
  for (Record& record : records) record.samples.clock_hz.resize(10);
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("the clock or the matrix engine switches"))) << "not one a sample";
}

TEST(TwoSpeeds, NameTheProbeWhenItSwitchesWithThem) {
  std::vector<Record> records = switching();
  for (Record& record : records)
    for (const double seconds : record.samples.seconds) record.samples.probe.push_back(seconds > 2e-3 ? 1e12 : 2e12);
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("the probe between the samples switches with them")));
  for (Record& record : records)
    for (double& probe : record.samples.probe) probe = 3e12 - probe;
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("the matrix engine switches"))) << "the other way round";
}

TEST(TwoSpeeds, NameOtherLoadWhenThereWasSome) {
  std::vector<Record> records = switching();
  for (Record& record : records)
    record.telemetry = {{"cpus", 2}, {"seconds", 1}, {"others_seconds", 1}, {"steal_seconds", 0}};
  const Document document = made_document(records);
  const RunSummary run = summarise(document);
  EXPECT_THAT(run.cases[0].doubts, ElementsAre(HasSubstr("them: other programs took 50.0 % of the time of its CPUs")));
  EXPECT_THAT(run.doubts, ElementsAre(StartsWith("Other programs took 50.0 %")));
  for (Record& record : records)
    record.telemetry = {{"cpus", 2}, {"seconds", 1}, {"others_seconds", 0}, {"steal_seconds", 1}};
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("them: the hypervisor gave 50.0 % of its CPU time")));
}

TEST(TwoSpeeds, OfOneRepeatAreBlamedOnTheLoadOfAll) {
  std::vector<Record> records = switching();
  records[1] = repeat_of(1, std::vector<double>(40, 1.4e-3));
  records[2] = repeat_of(2, std::vector<double>(40, 1.8e-3));
  for (Record& record : records) record.telemetry = {{"cpus", 2}, {"seconds", 0.15}, {"others_seconds", 0.15}};
  EXPECT_THAT(doubts(records), Contains(HasSubstr("of repeat 1, 798 GFLOP/s in 25 %, 4 changes between them: other "
                                                  "programs took 50.0 %")));
}

TEST(TwoSpeeds, OfABandwidthAreNotBlamedOnAMatrixEngine) {
  std::vector<Record> records = switching();
  for (Record& record : records) record.metrics[0].unit = "B/s";
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("2.00 TB/s in 75 % of the samples")));
  EXPECT_THAT(doubts(records), ElementsAre(HasSubstr("something outside the program switches")));
}

TEST(TwoSpeeds, OfATimeAreTimes) {
  std::vector<Record> records = switching();
  for (Record& record : records) {
    record.metrics[0].unit = "s";
    record.metrics[0].better = Better::lower;
    record.metrics[0].value = record.stats->median;
  }
  EXPECT_THAT(doubts(records), ElementsAre(StartsWith("two speeds: 1.00 ms in 75 % of the samples, 2.50 ms in 25 %")));
}

TEST(TwoSpeeds, OfWholeRepeatsReplaceTheSpread) {
  const auto steady = [](int repeat, double factor) {
    std::vector<double> seconds = samples(40, [](int) { return false; });
    for (double& one : seconds) one *= factor;
    return repeat_of(repeat, seconds);
  };
  EXPECT_THAT(doubts({steady(0, 1), steady(1, 2.5), steady(2, 1.01)}),
              ElementsAre("two speeds: 1.99 TFLOP/s in repeats 1 and 3, 798 GFLOP/s in repeat 2: the machine changed "
                          "between the repeats"));
  EXPECT_THAT(doubts({steady(0, 1), steady(1, 2.5), steady(2, 1.5)}), ElementsAre(HasSubstr("lies 90.0 % apart")))
      << "three speeds are a spread";
  EXPECT_THAT(doubts({steady(0, 1), steady(1, 1.08), steady(2, 1)}), IsEmpty()) << "too near";
  EXPECT_THAT(doubts({steady(0, 1), steady(1, 2.5)}), Contains(HasSubstr("lies 8"))) << "two repeats are too few";
}

TEST(TwoSpeeds, OfOneRepeatAloneLeaveTheSpreadOfTheOthers) {
  const auto steady = [](int repeat, double seconds) { return repeat_of(repeat, std::vector<double>(40, seconds)); };
  std::vector<Record> records = switching();
  records[1] = steady(1, 1.4e-3);
  records[2] = steady(2, 1.8e-3);
  EXPECT_THAT(doubts(records),
              ElementsAre(HasSubstr("in 75 % of the samples of repeat 1,"), HasSubstr("lies 61.8 % apart")));
}

TEST(TwoSpeeds, ExplainWhatWouldPassForDrift) {
  const std::vector<double> stepped = samples(40, [](int i) { return i >= 20; });
  EXPECT_THAT(doubts({repeat_of(0, stepped), repeat_of(1, stepped), repeat_of(2, stepped)}),
              ElementsAre(HasSubstr("in 50 % of the samples")));
  EXPECT_THAT(doubts({repeat_of(0, stepped)}), Contains(HasSubstr(", 1 change between them:")));
  std::vector<double> drifting;
  for (int i = 0; i < 40; ++i) drifting.push_back(1e-3 * (1 + 0.01 * i));
  EXPECT_THAT(doubts({repeat_of(0, drifting), repeat_of(1, drifting), repeat_of(2, drifting)}),
              ElementsAre(HasSubstr("the last third"), HasSubstr("the last third"), HasSubstr("the last third")));
}

TEST(TwoSpeeds, AreSaidOfTheRunWhenManyCasesHaveThem) {
  const auto run = [](std::size_t hit) {
    std::vector<Record> records;
    for (std::size_t i = 0; i < 4; ++i) {
      records.push_back(i < hit ? switching()[0] : repeat_of(0, std::vector<double>(40, 1e-3)));
      records.back().id += std::to_string(i);
    }
    Document document = made_document(records);
    document.run["repeats"] = 1;
    return summarise(document).doubts;
  };
  EXPECT_THAT(run(2), IsEmpty());
  EXPECT_THAT(run(3), ElementsAre(StartsWith("3 of 4 cases ran at two speeds: ")));
}

}  // namespace
}  // namespace warpmark
