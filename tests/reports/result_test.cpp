// SPDX-License-Identifier: Apache-2.0
#include "reports/render/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using testing::ElementsAre;

TEST(Results, HaveLettersEvenWhereTheirNamesAreAlike) {
  const std::vector<Document> documents(28, made_document({}));
  const std::vector<Result> results = results_of(documents, {.sources = {"a.json"}});
  EXPECT_EQ(results[0].letter, "A");
  EXPECT_EQ(results[25].letter, "Z");
  EXPECT_EQ(results[26].letter, "AA");
  EXPECT_EQ(results[27].letter, "AB");
  EXPECT_EQ(results[0].source, "a.json");
  EXPECT_EQ(results[1].source, "");
  EXPECT_EQ(results[0].name, "A CPU");
}

TEST(JoinedCases, HoldAPlaceForEveryResult) {
  const std::vector documents{made_document({made_record({.size = 1}), made_record({.size = 2})}),
                              made_document({made_record({.size = 2}), made_record({.size = 3})})};
  const std::vector<Result> results = results_of(documents, {});
  const std::vector<JoinedCase> joined = joined_cases(results);
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].cases[1], nullptr);
  EXPECT_NE(joined[1].cases[1], nullptr);
  EXPECT_EQ(joined[2].cases[0], nullptr);
  EXPECT_EQ(&joined[2].first(), joined[2].cases[1]);
}

double ratio_of(Record first, Record other) {
  const std::vector documents{made_document({std::move(first)}), made_document({std::move(other)})};
  const std::vector<Result> results = results_of(documents, {});
  const JoinedCase joined = joined_cases(results).at(0);
  return ratio_to(joined.cases[0], joined.cases[1], "bandwidth").value_or(0);
}

TEST(Ratios, AreTheOtherOverTheFirstAndAboveOneIsBetter) {
  EXPECT_DOUBLE_EQ(ratio_of(made_record({.value = 2e9}), made_record({.value = 3e9})), 1.5);
  Record slow = made_record({.value = 3}), fast = made_record({.value = 2});
  slow.metrics[0].better = fast.metrics[0].better = Better::lower;
  EXPECT_DOUBLE_EQ(ratio_of(slow, fast), 1.5);
}

TEST(Ratios, AreNotMadeOfWhatDoesNotCompare) {
  Record other_method = made_record({}), other_unit = made_record({});
  other_method.method = 2;
  other_unit.metrics[0].unit = "s";
  EXPECT_EQ(ratio_of(made_record({}), other_method), 0);
  EXPECT_EQ(ratio_of(made_record({}), other_unit), 0);
  EXPECT_EQ(ratio_of(made_record({}), made_record({.status = Status::failed})), 0);
  EXPECT_EQ(ratio_of(made_record({.value = 0}), made_record({})), 0);
}

TEST(Ratios, AreNotMadeOfTwoModes) {
  const std::vector documents{made_document({made_record({.mode = Mode::isolated})}), made_document({made_record({})})};
  const std::vector<Result> results = results_of(documents, {});
  const KeyRow row = key_rows(results).at(0);
  EXPECT_FALSE(ratio_to(row.answers[0]->best, row.answers[1]->best, "bandwidth"));
  EXPECT_TRUE(ratio_to(row.answers[0]->best, row.answers[0]->best, "bandwidth"));
}

TEST(Ratios, ReadAsTimes) {
  EXPECT_EQ(ratio_text(1.066), "1.07×");
  EXPECT_EQ(ratio_text(123.4), "123×");
  EXPECT_EQ(ratio_text(std::nullopt), "");
}

TEST(KeyRows, NameTheVariantsThatTheBestWonAgainst) {
  const std::vector documents{
      made_document({made_record({.variant = "nt", .size = "memory", .value = 3e9}),
                     made_record({.variant = "plain", .size = "memory", .value = 2e9}),
                     made_record({.variant = "broken", .size = "memory", .status = Status::failed})})};
  const std::vector<Result> results = results_of(documents, {});
  const std::vector<KeyRow> rows = key_rows(results);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].question, "memory/triad f64");
  EXPECT_EQ(rows[0].place, "main memory");
  EXPECT_EQ(rows[0].answers[0]->best->record().at.kernel.variant, "nt");
  EXPECT_THAT(rows[0].answers[0]->variants, ElementsAre("nt", "plain"));
}

TEST(KeyRows, NameNoVariantOfAnotherMode) {
  const std::vector documents{made_document({made_record({.variant = "a", .mode = Mode::batch, .value = 3e9}),
                                             made_record({.variant = "b", .mode = Mode::batch, .value = 2e9}),
                                             made_record({.variant = "c", .mode = Mode::isolated, .value = 1e9})})};
  EXPECT_THAT(key_rows(results_of(documents, {})).at(0).answers[0]->variants, ElementsAre("a", "b"));
}

Document with_gpu(std::vector<Record> records) {
  Document document = made_document(std::move(records));
  document.devices.push_back({{"id", "cuda:0"}, {"backend", "cuda"}, {"name", "A GPU"}});
  return document;
}

TEST(KeyRows, SayHowManyTimesTheCpuAGpuIs) {
  const Record cpu = made_record({.size = "memory", .value = 62.6e9});
  const Record gpu = made_record({.device = "cuda:0", .variant = "vector", .size = "memory", .value = 3.9e12});
  const std::vector both{with_gpu({cpu, gpu})};
  EXPECT_THAT(beside_cpu_lines(results_of(both, {})),
              ElementsAre("cuda:0 memory/triad f64, main memory: 62× the CPU (3.90 TB/s against 62.6 GB/s)"));
  const std::vector apart{made_document({cpu}), made_document({gpu})};
  EXPECT_THAT(beside_cpu_lines(results_of(apart, {})),
              ElementsAre("B cuda:0 memory/triad f64, main memory: 62× the CPU of A (3.90 TB/s against 62.6 GB/s)"));
  const std::vector alone{made_document({gpu})};
  EXPECT_THAT(beside_cpu_lines(results_of(alone, {})), ElementsAre());
}

TEST(KeyRows, SayInWhichCaseACpuStandsBesideAGpuWhereItIsNotTheBest) {
  const Made gpu{.device = "cuda:0", .value = 4e9};
  Made larger = gpu;
  larger.size = std::int64_t{1} << 20;
  larger.value = 9e9;
  const std::vector documents{with_gpu({made_record({.value = 2e9}), made_record(gpu), made_record(larger)})};
  EXPECT_THAT(beside_cpu_lines(results_of(documents, {})),
              ElementsAre("cuda:0 memory/triad f64: 2.0× the CPU (4.00 against 2.00 GB/s) at footprint 16 KiB, batch"));
}

TEST(KeyRows, HeadlineMainMemoryInTheWidestTypeAndEveryTypeOfArithmetic) {
  const auto typed = [](const Made& made, DType dtype) {
    Record record = made_record(made);
    record.at.kernel.dtype = dtype;
    record.id += "/" + std::string(name_of(dtype));
    return record;
  };
  const Made memory{.size = "memory"}, cache{};
  const Made gemm{.benchmark = "gemm/square", .axis = "n", .size = 512, .metric = "flop_rate"};
  const std::vector documents{
      made_document({typed(memory, DType::f64), typed(memory, DType::f32), typed(cache, DType::f64),
                     typed(gemm, DType::f64), typed(gemm, DType::i8)})};
  std::vector<std::string> headlines;
  const std::vector<Result> results = results_of(documents, {});
  for (const KeyRow& row : key_rows(results))
    if (row.headline) headlines.push_back(row.question + " " + row.place);
  EXPECT_THAT(headlines,
              testing::UnorderedElementsAre("gemm/square f64 ", "gemm/square i8 ", "memory/triad f64 main memory"));
}

TEST(KeyRows, PutACpuBesideAGpuWhereEachResultHasOneDevice) {
  Document gpu = made_document({made_record({.device = "cuda:0", .variant = "vector"})});
  gpu.devices[0]["id"] = "cuda:0";
  const std::vector documents{made_document({made_record({})}), gpu};
  const std::vector<Result> results = results_of(documents, {});
  ASSERT_EQ(key_rows(results).size(), 1U);
  Document both = documents[0];
  both.devices.push_back({{"id", "cuda:0"}});
  const std::vector two{both, gpu};
  const std::vector<Result> apart = results_of(two, {});
  EXPECT_EQ(key_rows(apart).size(), 2U);
}

}  // namespace
}  // namespace warpmark
