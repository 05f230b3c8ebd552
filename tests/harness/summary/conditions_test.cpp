// SPDX-License-Identifier: Apache-2.0
// Each condition on either side of what matters, said of a case when it hits few and of the run when it hits many.
#include "harness/summary/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/summary/summary.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// One second on two CPUs in which nothing happened.
json quiet() {
  return {{"cpus", 2},
          {"seconds", 1.0},
          {"steal_seconds", 0.0},
          {"others_seconds", 0.0},
          {"periods", 10},
          {"throttled_periods", 0},
          {"throttled_seconds", 0.0},
          {"denied", json::array()},
          {"clock_hz", {{"median", 3e9}, {"p5", 2.99e9}, {"p95", 3.01e9}}},
          {"huge_pages", {{"asked_bytes", 64 << 20}, {"bytes", 64 << 20}, {"setting", "madvise"}}}};
}

/// `count` cases of one repeat each, of which the first `hit` have that telemetry and the rest a quiet one.
Document run_of(std::size_t count, std::size_t hit, const json& telemetry) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(made_record({.size = static_cast<std::int64_t>(i)}));
    records.back().telemetry = i < hit ? telemetry : quiet();
  }
  Document document = made_document(std::move(records));
  document.run["repeats"] = 1;
  return document;
}

json changed(const std::vector<std::pair<std::string, json>>& changes) {
  json telemetry = quiet();
  for (const auto& [pointer, value] : changes) telemetry[json::json_pointer(pointer)] = value;
  return telemetry;
}

struct Told {
  std::vector<std::string> run{}, first_case{};
};

Told told(const Document& document) {
  const RunSummary summary = summarise(document);
  return {.run = summary.doubts, .first_case = summary.cases.at(0).doubts};
}

TEST(Conditions, ThatAreQuietAreNoDoubt) {
  const RunSummary summary = summarise(run_of(5, 0, {}));
  EXPECT_EQ(summary.doubt_count(), 0U);
  EXPECT_EQ(outcome_of({summary}), Outcome::clean);
}

struct Limit {
  std::string name{};
  json below{}, above{};
  std::string case_sentence{}, run_sentence{};
};

class EachCondition : public testing::TestWithParam<Limit> {};

TEST_P(EachCondition, IsNoDoubtUpToWhatMatters) {
  const Told nothing = told(run_of(5, 5, GetParam().below));
  EXPECT_THAT(nothing.run, IsEmpty());
  EXPECT_THAT(nothing.first_case, IsEmpty());
}

TEST_P(EachCondition, IsSaidOfTheCaseWhenItHitsFew) {
  const Told few = told(run_of(40, 2, GetParam().above));
  EXPECT_THAT(few.run, IsEmpty());
  EXPECT_THAT(few.first_case, ElementsAre(GetParam().case_sentence));
}

TEST_P(EachCondition, IsSaidOnceOfTheRunWhenItHitsMany) {
  const Document document = run_of(200, 3, GetParam().above);
  const Told many = told(document);
  EXPECT_THAT(many.run, ElementsAre(GetParam().run_sentence));
  EXPECT_THAT(many.first_case, IsEmpty());
  EXPECT_EQ(summarise(document).doubt_count(), 1U);
  EXPECT_EQ(outcome_of({summarise(document)}), Outcome::doubtful) << "nothing is missing";
}

INSTANTIATE_TEST_SUITE_P(
    All, EachCondition,
    testing::Values(
        Limit{
            .name = "throttled",
            .below = quiet(),
            .above = changed({{"/throttled_periods", 1}, {"/throttled_seconds", 0.08}}),
            .case_sentence = "the CPU quota of its control group stopped it in 1 of 10 periods, for 80.0 ms: raise it "
                             "(docker run --cpus, limits.cpu of Kubernetes)",
            .run_sentence = "The CPU quota of the control group stopped 3 of 200 cases, at worst in 1 of 10 periods: "
                            "those numbers are the quota's, not the CPU's; raise it (docker run --cpus, limits.cpu of "
                            "Kubernetes) and run again."},
        Limit{.name = "others",
              .below = changed({{"/others_seconds", 0.2}}),
              .above = changed({{"/others_seconds", 0.5}}),
              .case_sentence = "other programs took 25.0 % of the time of its CPUs: stop them and run again",
              .run_sentence = "Other programs took 25.0 % of the CPU time at worst (3 of 200 cases, 0.375 % over the "
                              "whole run): stop them and run again."},
        Limit{
            .name = "steal",
            .below = changed({{"/steal_seconds", 0.04}}),
            .above = changed({{"/steal_seconds", 0.05}}),
            .case_sentence = "the hypervisor gave 2.50 % of its CPU time to other guests (steal): run again at another "
                             "time, or on dedicated cores",
            .run_sentence = "Steal: the hypervisor gave other guests 2.50 % of the CPU time at worst (3 of 200 cases, "
                            "0.0375 % over the whole run). Run again at another time, or on dedicated cores."},
        Limit{.name = "low_clock",
              .below = changed({{"/clock_max_hz", 4.5e9}}),
              .above = changed({{"/clock_max_hz", 5e9}}),
              .case_sentence =
                  "the clock was 3.00 GHz, 60.0 % of the device's highest: heat, a power limit or a lower limit that "
                  "somebody set holds it down; `nvidia-smi -q -d PERFORMANCE,CLOCK` says which",
              .run_sentence =
                  "The clock was below 65.0 % of the device's highest in 3 of 200 cases, at worst 3.00 GHz, 60.0 % of "
                  "it: heat, a power limit or a lower limit that somebody set holds it down; `nvidia-smi -q -d "
                  "PERFORMANCE,CLOCK` says which."},
        Limit{
            .name = "clock",
            .below = changed({{"/clock_hz/p5", 2.86e9}}),
            .above = changed({{"/clock_hz/p5", 2.7e9}}),
            .case_sentence =
                "the core clock moved between 2.70 GHz and 3.01 GHz: let the machine cool down, or fix its "
                "clock",
            .run_sentence = "The core clock moved by more than 5.00 % in 3 of 200 cases, at worst between 2.70 GHz and "
                            "3.01 GHz: let the machine cool down, or fix its clock, and run again."},
        Limit{
            .name = "huge_pages",
            .below = changed({{"/huge_pages/bytes", 58 << 20}}),
            .above = changed({{"/huge_pages/bytes", 32 << 20}}),
            .case_sentence =
                "only 32 MiB of 64 MiB got the huge pages that were asked for: free memory is in pieces, or "
                "a control group forbids them; run again after a restart of the machine or container",
            .run_sentence = "Huge pages were refused in 3 of 200 cases, at worst 32 MiB of 64 MiB got them, which may "
                            "cost large arrays some bandwidth: free memory is in pieces, or a control group forbids "
                            "them; run again after a restart of the machine or container."}),
    [](const auto& limit) { return limit.param.name; });

TEST(Conditions, AreSaidFromTheGravestDown) {
  json all =
      changed({{"/throttled_periods", 1}, {"/others_seconds", 1.0}, {"/steal_seconds", 0.2}, {"/clock_hz/p5", 2e9}});
  all["huge_pages"] = {{"asked_bytes", 64 << 20}, {"bytes", 0}, {"setting", "never"}};
  Document document = run_of(3, 3, all);
  document.machine = {{"cpu", {{"cores", 32}, {"allowed", "0-1"}}}};
  document.devices[0]["units"] = 2;
  document.run["interrupted"] = true;
  EXPECT_THAT(told(document).run,
              ElementsAre(StartsWith("The run was interrupted"), StartsWith("The CPU quota"), StartsWith("Only 2 of"),
                          StartsWith("Other programs"), StartsWith("Steal"), StartsWith("The core clock"),
                          HasSubstr("write madvise to /sys/kernel/mm/transparent_hugepage/enabled")));
  EXPECT_EQ(outcome_of({summarise(document)}), Outcome::incomplete) << "it was interrupted";
}

TEST(Conditions, OfShortCasesAreAddedUp) {
  const json brief = changed({{"/seconds", 0.1}, {"/others_seconds", 0.15}});
  const Told whole = told(run_of(4, 4, brief));
  EXPECT_THAT(whole.run, ElementsAre("Other programs took 75.0 % of the CPU time over the whole run: stop them and run "
                                     "again."))
      << "no case is long enough to be hit";
  EXPECT_THAT(told(run_of(1, 1, brief)).run, IsEmpty()) << "100 ms say nothing";

  Document repeats = run_of(2, 2, brief);
  repeats.records[1] = repeats.records[0];
  repeats.records[1].repeat = 1;
  repeats.run["repeats"] = 2;
  EXPECT_THAT(told(repeats).run, ElementsAre(HasSubstr("at worst (1 of 1 cases"))) << "two repeats are long enough";
}

TEST(Conditions, OfRecordsThatAreNotUsedDoNotCount) {
  Document document = run_of(3, 3, changed({{"/throttled_periods", 1}}));
  for (Record& record : document.records) record.verification.reset();
  EXPECT_THAT(summarise(document).doubts, IsEmpty());
}

TEST(Conditions, HugePagesMatterForLargeCasesAlone) {
  Document document = run_of(5, 5, changed({{"/huge_pages/bytes", 0}}));
  for (Record& record : document.records) record.work = {.bytes_read = 16 << 20, .bytes_written = 16 << 20};
  EXPECT_THAT(summarise(document).doubts, IsEmpty());
  for (Record& record : document.records) record.work.bytes_read += 1;
  EXPECT_EQ(summarise(document).doubts.size(), 1U);
}

TEST(Conditions, OfOtherShapesAreNotKnown) {
  for (const json& strange :
       {json(), json(1), json("x"), json::array(), json{{"others_seconds", "1"}, {"seconds", 1}, {"cpus", 2}},
        json{{"others_seconds", 9}}, json{{"others_seconds", 9}, {"seconds", -1}, {"cpus", 2}},
        json{{"clock_hz", 1}, {"huge_pages", 2}, {"throttled_periods", nullptr}},
        json{{"clock_hz", {{"p5", 1}, {"median", 0}, {"p95", 2}}}, {"huge_pages", {{"asked_bytes", 0}, {"bytes", 0}}}}})
    EXPECT_EQ(summarise(run_of(3, 3, strange)).doubt_count(), 0U) << strange;
  EXPECT_EQ(summarise(run_of(3, 3, {{"throttled_periods", 1e300}})).doubts.size(), 1U);
}

TEST(Cores, FewerThanThereAreAreADoubt) {
  Document document = run_of(1, 0, {});
  const auto doubt = [&](int units, const json& machine) {
    document.devices[0]["units"] = units;
    document.machine = machine;
    return told(document).run;
  };
  EXPECT_THAT(doubt(32, {{"cpu", {{"cores", 32}}}}), IsEmpty());
  EXPECT_THAT(doubt(2, json::object()), IsEmpty()) << "nobody knows how many there are";
  EXPECT_THAT(doubt(0, {{"cpu", {{"cores", 32}}}}), IsEmpty()) << "nor how many were used";
  EXPECT_THAT(
      doubt(2, {{"cpu", {{"cores", 32}, {"allowed", "0-1"}}}}),
      ElementsAre("Only 2 of the machine's 32 cores could be used (it may run on CPUs 0-1): the numbers are those "
                  "of these cores; lift the limit to measure the machine."));
  EXPECT_THAT(doubt(2, {{"cpu", {{"cores", 4}, {"allowed", "0-3"}}}, {"cgroup", {{"cpus", "0-1"}}}}),
              ElementsAre(HasSubstr("(the control group allows CPUs 0-1)")));
  EXPECT_THAT(doubt(2, {{"cpu", {{"cores", 4}}}, {"cgroup", {{"cpus", "0-3"}, {"cpu", {{"cores", 1.5}}}}}}),
              ElementsAre(HasSubstr("(a CPU quota of 1.5)")));
  EXPECT_THAT(doubt(1, {{"cpu", {{"cores", 4}}}}), ElementsAre(HasSubstr("those of one core;")));
  document.devices[0]["backend"] = "cuda";
  EXPECT_THAT(doubt(2, {{"cpu", {{"cores", 32}}}}), IsEmpty());
}

}  // namespace
}  // namespace warpmark
