// SPDX-License-Identifier: Apache-2.0
// Which cases a suite picks, and in which order; with benchmarks of the test's own.
#include "harness/run/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/core/error.h"

namespace warpmark {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

KernelTable table() {
  return {.ids = [] {
    return std::vector<KernelId>{
        {"red", "fast", DType::f32}, {"red", "slow", DType::f64}, {"blue", "only", DType::f32}};
  }};
}

Work n_bytes(const Case& at, const DeviceInfo&) { return {.bytes_read = static_cast<double>(at.integer("n"))}; }

const Registered copy{{.name = "memory/copy",
                       .axes = {{.name = "n", .values = {100, 200}}},
                       .modes = {Mode::isolated, Mode::batch},
                       .kernels = table(),
                       .rate = bandwidth,
                       .work = n_bytes}};
const Registered scale{
    {.name = "memory/scale",
     .axes = {{.name = "size", .values = {4, "memory"}}, {.name = "direction", .values = {"up", "down"}}},
     .kernels = table()}};
const Registered quiet{
    {.name = "launch", .axes = {{.name = "n", .values = {1}}}, .kernels = table(), .quiet = true, .work = n_bytes}};

const Registered elsewhere{{.name = "gemm/mlp",
                            .axes = {{.name = "model", .values = {"8b", "70b"}, .takes_integers = true}},
                            .kernels = {.ids = [] {
                              return std::vector<KernelId>{{"blue", "only", DType::f32}};
                            }}}};

DeviceInfo red() {
  DeviceInfo device;
  device.id = "red:0";
  device.backend = "red";
  return device;
}

Suite suite_of(std::vector<Selection> select) { return {.name = "test", .select = std::move(select)}; }

std::vector<std::string> ids_of(const Suite& suite, const std::string& filter = "") {
  std::vector<std::string> ids;
  for (const PlannedCase& planned : plan_cases(suite, filter, red())) ids.push_back(planned.id);
  return ids;
}

std::string refusal(const Suite& suite, const std::string& filter = "") {
  try {
    return "not refused: " + std::to_string(plan_cases(suite, filter, red()).size()) + " cases";
  } catch (const UsageError& e) {
    return e.what();
  }
}

TEST(PlanCases, TakesEveryCaseOfWhatIsSelected) {
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "^memory/copy$"}})), SizeIs(2 * 2 * 2));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = ".*"}})), SizeIs(8 + 8 + 2));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = ".*"}})), Each(HasSubstr("/red:0/")));
}

TEST(PlanCases, SearchesTheNames) {
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "mem"}})), SizeIs(16));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "unch"}})), SizeIs(2));
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "^copy"}})), HasSubstr("selects no benchmark"))
      << "searched, not completed";
}

TEST(PlanCases, NarrowsByBackend) {
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "copy", .backends = {"red"}}})), SizeIs(8));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "copy", .backends = {"blue"}}, {.benchmarks = "launch"}})), SizeIs(2));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "copy", .backends = {"cuda"}, .variants = {"of-another-build"}},
                               {.benchmarks = "launch"}})),
              SizeIs(2))
      << "a backend that has no kernel here knows no variant";
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "copy", .backends = {"blue"}, .variants = {"slow"}}})),
              HasSubstr("has a variant 'slow'; the nearest is only"));
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "copy", .backends = {"cdua"}}})),
              HasSubstr("there is no backend 'cdua'; the nearest is cuda"));
}

TEST(PlanCases, NarrowsByVariantModeAndType) {
  EXPECT_THAT(
      ids_of(suite_of({{.benchmarks = "copy", .variants = {"slow"}}})),
      ElementsAre("memory/copy/red:0/slow/f64/n=100", "memory/copy/red:0/slow/f64/n=200",
                  "memory/copy/red:0/slow/f64/n=100/mode=batch", "memory/copy/red:0/slow/f64/n=200/mode=batch"));
  EXPECT_THAT(
      ids_of(suite_of({{.benchmarks = "copy", .modes = {"batch"}, .dtypes = {"f32"}}})),
      ElementsAre("memory/copy/red:0/fast/f32/n=100/mode=batch", "memory/copy/red:0/fast/f32/n=200/mode=batch"));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "copy", .modes = {"isolated", "batch"}, .variants = {"fast", "slow"}}})),
              SizeIs(8));
}

TEST(PlanCases, ReplacesTheAxesThatAreGiven) {
  EXPECT_THAT(
      ids_of(suite_of({{.benchmarks = "copy", .axes = {{"n", {7, 9}}}, .modes = {"isolated"}, .dtypes = {"f32"}}})),
      ElementsAre("memory/copy/red:0/fast/f32/n=7", "memory/copy/red:0/fast/f32/n=9"));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "scale", .axes = {{"direction", {"down"}}}, .variants = {"fast"}}})),
              ElementsAre("memory/scale/red:0/fast/f32/size=4/direction=down",
                          "memory/scale/red:0/fast/f32/size=memory/direction=down"));
}

TEST(PlanCases, TakesDuplicatesOnce) {
  const Selection once{.benchmarks = "launch"};
  EXPECT_THAT(ids_of(suite_of({once, once, {.benchmarks = "launch", .axes = {{"n", {1, 2, 2}}}}})),
              ElementsAre("launch/red:0/fast/f32/n=1", "launch/red:0/slow/f64/n=1", "launch/red:0/fast/f32/n=2",
                          "launch/red:0/slow/f64/n=2"));
}

TEST(PlanCases, FiltersByTheWholeId) {
  const Suite all = suite_of({{.benchmarks = ".*"}});
  EXPECT_THAT(ids_of(all, "copy.*n=100$"),
              ElementsAre("memory/copy/red:0/fast/f32/n=100", "memory/copy/red:0/slow/f64/n=100"));
  EXPECT_THAT(ids_of(all, "^launch"), SizeIs(2));
  EXPECT_THAT(ids_of(all, ""), SizeIs(18));
}

TEST(PlanCases, NamesTheNearestCaseWhereTheFilterMatchesNone) {
  EXPECT_EQ(
      refusal(suite_of({{.benchmarks = ".*"}}), "launch/red:0/fats/f32/n=1"),
      "--filter 'launch/red:0/fats/f32/n=1' matches no case of suite test; the nearest is launch/red:0/fast/f32/n=1");
}

TEST(PlanCases, RefusesAFilterThatIsNoRegularExpression) {
  EXPECT_THAT(refusal(suite_of({{.benchmarks = ".*"}}), "("), StartsWith("--filter '(' is not a regular expression: "));
}

TEST(PlanCases, RefusesASuiteWithNothingForTheDevice) {
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "launch", .variants = {"only"}}})),
              StartsWith("suite test has no case for "))
      << "the kernel of another backend";
}

TEST(PlanCases, RefusesASelectionOfNothing) {
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "^memory"}, {.benchmarks = "^memroy/copy$"}})),
              HasSubstr("'^memroy/copy$' selects no benchmark; the nearest is memory/copy"));
}

TEST(PlanCases, RefusesVariantsOfWhichNoneExists) {
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "^memory/copy$", .variants = {"fats"}}})),
              HasSubstr("has a variant 'fats'; the nearest is fast"));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "^memory/copy$", .variants = {"fast", "not-in-this-build"}}})),
              SizeIs(4));
}

TEST(PlanCases, LeavesOutVariantsOfAnotherBuild) {
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "^memory/copy$", .variants = {"of-another-library"}},
                               {.benchmarks = "^memory/scale$", .variants = {"fast"}}})),
              Each(HasSubstr("memory/scale")));
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "^memory/copy$", .variants = {"of-another-library"}}})),
              HasSubstr("suite test has no case for red:0"));
}

TEST(PlanCases, ACaseIsAGateWhenOneOfItsSelectionsSaysSo) {
  const std::vector<PlannedCase> planned = plan_cases(
      suite_of({{.benchmarks = "^memory/"}, {.benchmarks = "^memory/copy$", .variants = {"fast"}, .gate = true}}), "",
      red());
  for (const PlannedCase& each : planned)
    EXPECT_EQ(each.gate, each.benchmark->name == "memory/copy" && each.at.kernel.variant == "fast") << each.id;
}

TEST(PlanCases, ACaseIsMeasuredOnceWhenOneOfItsSelectionsSaysSo) {
  const Suite suite =
      suite_of({{.benchmarks = "^memory/copy$", .axes = {{"n", {100}}}, .variants = {"fast"}, .once = true},
                {.benchmarks = "^memory/copy$", .variants = {"fast"}}});
  const auto cases = plan_cases(suite, "", red());
  EXPECT_EQ(measurements_of(cases, 3).size(), 2U * 1 + 2U * 3) << "two modes of n=100 once, two of n=200 thrice";
  std::multiset<std::string> ordered;
  for (const Shift& shift : order_shifts(cases, 3, 1))
    for (const std::string& id : shift.ids) {
      ordered.insert(id);
      const bool is_once = id.find("n=100") != std::string::npos;
      EXPECT_TRUE(!is_once || shift.repeat == 0) << id;
    }
  EXPECT_EQ(ordered.size(), 8U);
  EXPECT_EQ(ordered.count("memory/copy/red:0/fast/f32/n=100"), 1U);
  EXPECT_EQ(ordered.count("memory/copy/red:0/fast/f32/n=200"), 3U);
}

TEST(OrderShifts, HasNoShiftOfAFamilyThatHasBeenMeasuredOnce) {
  const auto cases =
      plan_cases(suite_of({{.benchmarks = "^launch$", .once = true}, {.benchmarks = "^memory/copy$"}}), "", red());
  int shifts = 0;
  for (const Shift& shift : order_shifts(cases, 3, 1)) shifts += shift.family == "launch" ? 1 : 0;
  EXPECT_EQ(shifts, 1);
}

TEST(PlanCases, ARegimeIsPartOfTheIdWhereItIsNotBurst) {
  const Suite suite =
      suite_of({{.benchmarks = "^memory/copy$", .axes = {{"n", {100}}}, .modes = {"batch"}, .variants = {"fast"}}});
  EXPECT_EQ(plan_cases(suite, "", red(), Regime::steady).at(0).id,
            "memory/copy/red:0/fast/f32/n=100/mode=batch/regime=steady");
  EXPECT_EQ(plan_cases(suite, "", red(), Regime::burst).at(0).id, "memory/copy/red:0/fast/f32/n=100/mode=batch");
}

TEST(PlanCases, RefusesMoreGatesThanAComparisonJudgesBy) {
  Selection many{.benchmarks = "^memory/copy$", .axes = {{"n", {}}}, .modes = {"batch"}, .variants = {"fast"}};
  for (std::int64_t size = 1; size <= 21; ++size) many.axes["n"].emplace_back(size);
  EXPECT_THAT(refusal(suite_of({many})), HasSubstr("not refused"));
  many.gate = true;
  EXPECT_THAT(refusal(suite_of({many})), HasSubstr("cases on red:0 are gates; a comparison judges by 20 at most"));
}

TEST(PlanCases, RefusesAnAxisThatNothingSelectedHas) {
  EXPECT_EQ(refusal(suite_of({{.benchmarks = "scale", .axes = {{"directoin", {"up"}}}}})),
            "suite test: nothing that 'scale' selects has an axis 'directoin'; the nearest is direction");
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "scale", .axes = {{"n", {1}}}}})), HasSubstr("has an axis 'n'"));
  EXPECT_THAT(ids_of(suite_of({{.benchmarks = "memory", .axes = {{"n", {1}}}}})), SizeIs(4 + 8))
      << "one of them has it";
}

TEST(PlanCases, RefusesAValueThatTheAxisDoesNotTake) {
  const auto with_size = [](AxisValue value) {
    return suite_of({{.benchmarks = "scale", .axes = {{"size", {std::move(value)}}}}});
  };
  EXPECT_EQ(refusal(with_size("memry")),
            "suite test: axis size does not take 'memry'; it takes memory, and any integer from 1 on");
  EXPECT_THAT(refusal(with_size(0)), HasSubstr("does not take '0'"));
  EXPECT_THAT(refusal(with_size(-1)), HasSubstr("does not take '-1'"));
  EXPECT_THAT(ids_of(with_size(1)), SizeIs(4));
  EXPECT_THAT(ids_of(with_size("memory")), SizeIs(4));
  EXPECT_THAT(refusal(suite_of({{.benchmarks = "scale", .axes = {{"direction", {5}}}}})),
              HasSubstr("does not take '5'; it takes up, down"));
}

TEST(PlanCases, TakesIntegersWhereAnAxisOfWordsDoes) {
  const auto with_model = [](AxisValue value) {
    return suite_of({{.benchmarks = "^gemm/mlp$", .axes = {{"model", {std::move(value)}}}}});
  };
  for (const AxisValue& taken : {AxisValue("70b"), AxisValue(1)})
    EXPECT_THAT(refusal(with_model(taken)), HasSubstr("has no case for red:0")) << "which has no kernel of it";
  EXPECT_THAT(refusal(with_model(0)), HasSubstr("does not take '0'"));
  EXPECT_THAT(refusal(with_model("13b")),
              HasSubstr("axis model does not take '13b'; it takes 8b, 70b, and any integer from 1 on"));
}

TEST(PlanCases, LeadsToTheBenchmarkAndItsMarks) {
  const std::vector<PlannedCase> planned = plan_cases(suite_of({{.benchmarks = "launch"}}), "", red());
  EXPECT_EQ(planned.at(0).benchmark->name, "launch");
  EXPECT_TRUE(planned.at(0).benchmark->quiet);
  EXPECT_FALSE(plan_cases(suite_of({{.benchmarks = "copy"}}), "", red()).at(0).benchmark->quiet);
}

std::vector<PlannedCase> all_cases() { return plan_cases(suite_of({{.benchmarks = ".*"}}), "", red()); }

std::string text_of_order(const std::vector<Shift>& shifts) {
  std::string text;
  for (const Shift& shift : shifts) {
    text += std::to_string(shift.repeat) + " " + shift.family;
    for (const std::string& id : shift.ids) text += " " + id;
    text += "\n";
  }
  return text;
}

TEST(OrderShifts, HasEveryCaseOncePerRepeat) {
  const std::vector<PlannedCase> cases = all_cases();
  const std::vector<Shift> shifts = order_shifts(cases, 3, 42);
  ASSERT_THAT(shifts, SizeIs(3 * 2));
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::multiset<std::string> ids;
    std::vector<std::string> families;
    for (const Shift& shift : shifts) {
      if (shift.repeat != repeat) continue;
      families.push_back(shift.family);
      ids.insert(shift.ids.begin(), shift.ids.end());
      for (const std::string& id : shift.ids) EXPECT_EQ(family_of(id), shift.family);
    }
    EXPECT_THAT(families, UnorderedElementsAre("launch", "memory"));
    EXPECT_EQ(ids.size(), cases.size());
    for (const PlannedCase& planned : cases) EXPECT_EQ(ids.count(planned.id), 1U) << planned.id;
  }
}

std::vector<AxisValue> values(std::int64_t count) {
  std::vector<AxisValue> all;
  for (std::int64_t n = 1; n <= count; ++n) all.emplace_back(n);
  return all;
}

TEST(PlanCases, RefusesAxesThatSpanMoreThanAnyRunMeasures) {
  const std::string complaint =
      "suite test: with memory/copy its axes span more than 20000 cases; give them fewer values";
  const auto copies = [](std::int64_t count) {
    return Selection{.benchmarks = "copy", .axes = {{"n", values(count)}}};
  };
  EXPECT_THAT(ids_of(suite_of({copies(5000)})), SizeIs(20'000)) << "two kernels in two modes";
  EXPECT_EQ(refusal(suite_of({copies(5001)})), complaint);
  EXPECT_EQ(refusal(suite_of({copies(3000), copies(3000)})), complaint) << "selections that overlap cost time, too";
  // Made before they were counted, these would not fit into any memory.
  EXPECT_THAT(
      refusal(suite_of({{.benchmarks = "scale", .axes = {{"size", values(40'000)}, {"direction", {40'000, "up"}}}}})),
      StartsWith("suite test: "));
}

TEST(PlanCases, NamesFromASuiteDoNotSteerTheTerminal) {
  Suite suite = suite_of({{.benchmarks = "\x1b]2J"}});
  suite.name = "a\nb";
  EXPECT_THAT(refusal(suite), StartsWith(R"(suite a\x0ab: '\x1b]2J' selects no benchmark)"));
}

TEST(ExpectFewEnough, CountsMeasurements) {
  const std::vector<PlannedCase> cases(1000);
  EXPECT_NO_THROW(expect_few_enough(cases, 1000));
  EXPECT_THROW(expect_few_enough(cases, 1001), UsageError);
  EXPECT_NO_THROW(expect_few_enough({}, 1'000'000));
}

TEST(OrderShifts, IsTheSameForTheSameSeedAlone) {
  const std::vector<PlannedCase> cases = all_cases();
  const std::string order = text_of_order(order_shifts(cases, 3, 42));
  EXPECT_EQ(text_of_order(order_shifts(cases, 3, 42)), order);
  EXPECT_NE(text_of_order(order_shifts(cases, 3, 43)), order);
}

TEST(OrderShifts, IsTheSameOnEveryMachine) {
  // A document records the seed: with another order behind it, its run could not be repeated.
  std::string order;
  for (const Shift& shift : order_shifts(all_cases(), 3, 42))
    order += std::to_string(shift.repeat) + shift.family.substr(0, 1) + " ";
  EXPECT_EQ(order, "2m 1l 1m 0l 2l 0m ");
}

TEST(OrderShifts, ShufflesShiftsAndCases) {
  // Of 20 seeds some start with each family, and some with each of the cases of memory/copy.
  std::set<std::string> first_families;
  std::set<std::string> first_cases;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<Shift> shifts = order_shifts(all_cases(), 1, seed);
    first_families.insert(shifts.front().family);
    for (const Shift& shift : shifts)
      if (shift.family == "memory") first_cases.insert(shift.ids.front());
  }
  EXPECT_THAT(first_families, SizeIs(2));
  EXPECT_THAT(first_cases, SizeIs(16));
}

TEST(DeadlineSeconds, KnowsOfCasesThatRunForAGivenTime) {
  Benchmark lasting;
  lasting.lasts = [](const Case&) { return 300.0; };
  lasting.work = n_bytes;
  const PlannedCase planned{.benchmark = &lasting, .at = {.at = {{"n", 25}}}};
  EXPECT_NEAR(deadline_seconds(planned, {.max_seconds = 2}, red()), 10 + 10 * 300, 1);
}

TEST(DeadlineSeconds, IsTenTimesTheProtocolAndTheTimeToFill) {
  PlannedCase planned{.benchmark = nullptr, .at = {.at = {{"n", 50'000'000}}}};
  for (const Benchmark& benchmark : benchmarks())
    if (benchmark.name == "memory/copy") planned.benchmark = &benchmark;
  const Protocol protocol{.max_seconds = 2, .max_warmup_seconds = 0.5};
  EXPECT_DOUBLE_EQ(deadline_seconds(planned, protocol, red()), 10 + 10 * 2.5 + 2);  // 50 MB at 25 MB/s
  planned.at.at.front().second = std::int64_t{1} << 62;
  EXPECT_DOUBLE_EQ(deadline_seconds(planned, protocol, red()), 86400) << "a day at most";
}

}  // namespace
}  // namespace warpmark
