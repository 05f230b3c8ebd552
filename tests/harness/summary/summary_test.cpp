// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Record> three_repeats(Made made, double first, double second, double third) {
  std::vector<Record> records;
  for (const double value : {first, second, third}) {
    made.value = value;
    records.push_back(made_record(made));
    ++made.repeat;
  }
  return records;
}

TEST(Summarise, TakesTheMedianOverRepeatsAndTheirRange) {
  const Document document = made_document(three_repeats({.ceiling = 10e9}, 4e9, 3.9e9, 4.1e9));
  const RunSummary run = summarise(document);
  ASSERT_EQ(run.cases.size(), 1U);
  const Figure& figure = run.cases[0].figures.at(0);
  EXPECT_EQ(figure.median, 4e9);
  EXPECT_EQ(figure.low, 3.9e9);
  EXPECT_EQ(figure.high, 4.1e9);
  EXPECT_EQ(figure.share, 0.4);
  EXPECT_EQ(run.cases[0].usable, 3U);
  EXPECT_THAT(run.cases[0].doubts, IsEmpty());
  EXPECT_EQ(outcome_of({run}), Outcome::clean);
}

TEST(Summarise, LeavesOutRepeatsThatAreNotUsable) {
  std::vector<Record> records = three_repeats({}, 4e9, 99e9, 4e9);
  records[1].status = Status::invalid;
  records[1].why = "more than the ceiling";
  const Document document = made_document(records);
  const RunSummary run = summarise(document);
  EXPECT_EQ(run.cases[0].figures[0].high, 4e9);
  EXPECT_EQ(run.cases[0].usable, 2U);
  EXPECT_EQ(run.cases[0].status, Status::invalid);
  EXPECT_THAT(run.cases[0].doubts, ElementsAre("repeat 2 (invalid): more than the ceiling"));
  EXPECT_EQ(run.partial, 1U);
  EXPECT_EQ(outcome_of({run}), Outcome::incomplete);
}

TEST(Summarise, TakesNoNumberThatWasNotVerified) {
  std::vector<Record> records = three_repeats({}, 4e9, 4e9, 4e9);
  records[0].verification.reset();
  records[1].verification = Verdict{.error = 1, .allowed = 0.5};
  records[2].verification = Verdict{.error = std::numeric_limits<double>::quiet_NaN(), .allowed = 0.5};
  const Document document = made_document(records);
  const RunSummary run = summarise(document);
  EXPECT_EQ(run.cases[0].usable, 0U);
  EXPECT_FALSE(run.cases[0].measured());
  EXPECT_EQ(run.missing, 1U);
  EXPECT_EQ(outcome_of({run}), Outcome::nothing);
}

TEST(Summarise, DoubtsAResultThatIsWrongThoughItsStatusIsOk) {
  std::vector<Record> records = three_repeats({}, 4e9, 4e9, 4e9);
  records[1].verification = Verdict{.error = 1, .allowed = 0.5};
  const Document document = made_document(records);
  EXPECT_THAT(summarise(document).cases[0].doubts, ElementsAre(HasSubstr("the result is wrong")));
}

TEST(Summarise, DoubtsRepeatsThatLieFarApart) {
  const Document apart = made_document(three_repeats({}, 4e9, 4e9, 4.5e9));
  EXPECT_THAT(summarise(apart).cases[0].doubts, ElementsAre("bandwidth of the repeats lies 12.5 % apart"));
  const Document close = made_document(three_repeats({}, 4e9, 4e9, 4.3e9));
  EXPECT_THAT(summarise(close).cases[0].doubts, IsEmpty());
}

TEST(Summarise, DoubtsOperandsThatWereNotCold) {
  std::vector<Record> records = three_repeats({}, 4e9, 4e9, 4e9);
  records[0].about["operands_cold"] = true;
  records[1].about["operands_cold"] = false;
  records[2].about["operands_cold"] = "maybe";
  const Document document = made_document(records);
  EXPECT_THAT(summarise(document).cases[0].doubts, ElementsAre(HasSubstr("repeat 2: its operands may have lain")));
}

TEST(Summarise, DoubtsDriftMissingRepeatsAndPassedCeilings) {
  std::vector<Record> records = three_repeats({.ceiling = 3.9e9}, 4e9, 4e9, 4e9);
  records[0].stats->drift = 0.06;
  records[1].stats->drift = -0.04;
  records.pop_back();
  const Document document = made_document(records);
  EXPECT_THAT(summarise(document).cases[0].doubts,
              ElementsAre("repeat 1: the last third of its samples took 6.00 % longer than the first",
                          "only 2 of 3 repeats are there", HasSubstr("103 % of its ceiling")));
}

TEST(Summarise, DoubtsARunThatWasInterruptedOrCouldNotUseADevice) {
  Document document = made_document(three_repeats({}, 4e9, 4e9, 4e9));
  document.run["interrupted"] = true;
  document.run["exit_code"] = 3;
  const RunSummary run = summarise(document);
  EXPECT_THAT(run.doubts, ElementsAre(HasSubstr("could not be used"), HasSubstr("interrupted")));
  EXPECT_EQ(run.doubt_count(), 2U);
  EXPECT_EQ(outcome_of({run}), Outcome::incomplete);
}

TEST(Summarise, SaysFirstWhyADeviceCouldNotBeUsed) {
  Document document = made_document(three_repeats({}, 4e9, 4e9, 4e9));
  EXPECT_THAT(summarise(document).doubts, IsEmpty());
  document.run["device_problem"] = "an H100 without a driver";
  document.run["exit_code"] = 3;
  document.run["interrupted"] = true;
  EXPECT_THAT(summarise(document).doubts, ElementsAre("an H100 without a driver", HasSubstr("interrupted")));
}

TEST(Summarise, SortsCasesBySizeWhateverOrderTheyWereMeasuredIn) {
  const Document document =
      made_document({made_record({.size = "memory"}), made_record({.size = 65536}),
                     made_record({.variant = "avx2", .size = 16384}), made_record({.size = 16384})});
  std::vector<std::string> ids;
  const RunSummary run = summarise(document);
  for (const CaseSummary& one : run.cases) ids.push_back(one.record().id);
  EXPECT_THAT(
      ids,
      ElementsAre("memory/triad/cpu:0/avx2/f64/footprint=16384", "memory/triad/cpu:0/plain/f64/footprint=16384",
                  "memory/triad/cpu:0/plain/f64/footprint=65536", "memory/triad/cpu:0/plain/f64/footprint=memory"));
}

TEST(Summarise, PicksTheBestPerQuestionAndNamedPlacesFirst) {
  const Document document = made_document({made_record({.size = 16384, .value = 5e9, .ceiling = 10e9}),
                                           made_record({.size = 65536, .value = 3e9, .ceiling = 10e9}),
                                           made_record({.variant = "nt", .size = "memory", .value = 2e9}),
                                           made_record({.size = "memory", .value = 1e9})});
  const RunSummary run = summarise(document);
  ASSERT_EQ(run.key_numbers.size(), 2U);
  EXPECT_EQ(run.cases[run.key_numbers[0].best].record().at.kernel.variant, "nt");
  EXPECT_EQ(run.key_numbers[0].of, 2U);
  EXPECT_EQ(run.cases[run.key_numbers[1].best].figures[0].median, 5e9);
  ASSERT_EQ(run.lowest_share, 1U);
  EXPECT_EQ(totals_of({run}).lowest_share->figures[0].share, 0.5);
}

TEST(Summarise, HoldsNoCoarserArithmeticAgainstAType) {
  Record exact = made_record({.variant = "cublaslt", .value = 5e9});
  Record coarse = made_record({.variant = "cublaslt-tf32", .value = 9e9});
  coarse.about["arithmetic"] = "tf32";
  const RunSummary run = summarise(made_document({exact, coarse}));
  ASSERT_EQ(run.key_numbers.size(), 2U) << "the faster one answers another question";
  EXPECT_EQ(run.cases[run.key_numbers[0].best].figures[0].median, 5e9);
  coarse.about.erase("arithmetic");
  EXPECT_EQ(summarise(made_document({exact, coarse})).key_numbers.size(), 1U);
}

TEST(Summarise, KeepsTheKeyNumbersOfADeviceTogether) {
  Document document = made_document({});
  document.devices.push_back({{"id", "cpu:1"}});
  for (const char* device : {"cpu:1", "cpu:0"}) {
    document.records.push_back(made_record({.device = device, .size = 16384}));
    document.records.push_back(made_record({.device = device, .size = "memory"}));
  }
  const RunSummary run = summarise(document);
  std::vector<std::string> best;
  for (const KeyNumber& number : run.key_numbers) best.push_back(run.cases[number.best].record().id);
  EXPECT_THAT(
      best,
      ElementsAre("memory/triad/cpu:0/plain/f64/footprint=memory", "memory/triad/cpu:0/plain/f64/footprint=16384",
                  "memory/triad/cpu:1/plain/f64/footprint=memory", "memory/triad/cpu:1/plain/f64/footprint=16384"));
}

TEST(Summarise, TakesTheLowestWhereLowerIsBetter) {
  std::vector<Record> records{made_record({.size = 1, .value = 5}), made_record({.size = 2, .value = 3})};
  for (Record& record : records) record.metrics[0].better = Better::lower;
  const Document document = made_document(records);
  const RunSummary run = summarise(document);
  EXPECT_EQ(run.cases[run.key_numbers.at(0).best].figures[0].median, 3);
}

TEST(Summarise, HasNothingToSayOfNothing) {
  const Document document = made_document({});
  const RunSummary run = summarise(document);
  EXPECT_THAT(run.cases, IsEmpty());
  EXPECT_FALSE(run.lowest_share.has_value());
  EXPECT_EQ(outcome_of({run}), Outcome::nothing);
}

TEST(Totals, AddUpOverRuns) {
  const Document whole = made_document(three_repeats({.ceiling = 10e9}, 4e9, 4e9, 4e9));
  const Document failed = made_document({made_record({.status = Status::failed})});
  const Totals totals = totals_of({summarise(whole), summarise(failed)});
  EXPECT_EQ(totals.complete, 1U);
  EXPECT_EQ(totals.missing, 1U);
  EXPECT_EQ(totals.cases(), 2U);
}

}  // namespace
}  // namespace warpmark
