// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/beside_cpu.h"

#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

const Made gpu_case{.device = "cuda:0", .variant = "vector", .value = 6e9};

/// What stands beside the first key number of the GPU; "" where nothing does.
std::string beside_gpu(const Document& document) {
  const RunSummary run = summarise(document);
  const CpuBaseline baseline({&run});
  for (const KeyNumber& number : run.key_numbers) {
    const CaseSummary& best = run.cases[number.best];
    if (best.record().device == "cpu:0") continue;
    const std::optional<BesideCpu> beside = baseline.beside(0, best);
    return beside ? beside_cpu_text(*beside, " x ") : "";
  }
  return "no key number";
}

TEST(CpuBaseline, takes_the_best_kernel_of_each) {
  EXPECT_EQ(beside_gpu(made_document({made_record({.variant = "plain", .value = 1e9}),
                                      made_record({.variant = "nt", .value = 3e9}), made_record(gpu_case),
                                      made_record({.device = "cuda:0", .variant = "slow", .value = 4e9})})),
            "2.0 x the CPU (6.00 against 3.00 GB/s)");
}

TEST(CpuBaseline, has_nothing_beside_another_case) {
  const Record gpu = made_record(gpu_case);
  const Record same = made_record({.value = 1e9});
  ASSERT_NE(beside_gpu(made_document({same, gpu})), "");
  Record type = same, method = same, regime = same, data = same, unit = same, arithmetic = same, metric = same;
  type.at.kernel.dtype = DType::f32;
  method.method = 2;
  regime.regime = "steady";
  data.data = {{"distribution", "zeros"}};
  unit.metrics[0].unit = "s";
  arithmetic.about = {{"arithmetic", "tf32"}};
  metric.metrics[0].name = "other";
  for (const Record& other : {type, method, regime, data, unit, arithmetic, metric, made_record({.size = 1}),
                              made_record({.mode = Mode::isolated}), made_record({.benchmark = "memory/copy"}),
                              made_record({.status = Status::failed})})
    EXPECT_EQ(beside_gpu(made_document({other, gpu})), "") << other.id;
}

TEST(CpuBaseline, has_nothing_beside_a_cpu) {
  const Document document = made_document({made_record({})});
  const RunSummary run = summarise(document);
  EXPECT_FALSE(CpuBaseline({&run}).beside(0, run.cases[0]));
}

TEST(CpuBaseline, falls_back_to_another_size_of_the_same_question) {
  const Document document = made_document(
      {made_record({.value = 1e9}), made_record(gpu_case),
       made_record({.device = "cuda:0", .variant = "vector", .size = std::int64_t{1} << 20, .value = 9e9})});
  const RunSummary run = summarise(document);
  const CaseSummary& best = run.cases[run.key_numbers.back().best];
  ASSERT_EQ(best.figures[0].median, 9e9);
  const std::optional<BesideCpu> beside = CpuBaseline({&run}).beside(0, best);
  ASSERT_TRUE(beside);
  EXPECT_NE(beside->device, &best);
  EXPECT_EQ(beside->ratio, 6);
}

TEST(CpuBaseline, prefers_the_cpu_of_the_same_run) {
  const Document other = made_document({made_record({.value = 2e9})});
  const Document own = made_document({made_record({.value = 1e9}), made_record(gpu_case)});
  const Document bare = made_document({made_record(gpu_case)});
  const std::vector<RunSummary> runs{summarise(other), summarise(own), summarise(bare)};
  const CpuBaseline baseline({&runs[0], &runs[1], &runs[2]});
  const std::optional<BesideCpu> at_home = baseline.beside(1, runs[1].cases.back());
  ASSERT_TRUE(at_home);
  EXPECT_EQ(at_home->cpu_run, 1U);
  EXPECT_EQ(at_home->ratio, 6);
  const std::optional<BesideCpu> away = baseline.beside(2, runs[2].cases.back());
  ASSERT_TRUE(away);
  EXPECT_EQ(away->cpu_run, 0U);
  EXPECT_EQ(away->ratio, 3);
}

TEST(BesideCpuText, reads_well_above_and_below_one) {
  const auto text = [](double gpu, double cpu, Better better = Better::higher) {
    Made slow{.value = cpu}, fast = gpu_case;
    fast.value = gpu;
    Document document = made_document({made_record(slow), made_record(fast)});
    for (Record& record : document.records) record.metrics[0].better = better;
    return beside_gpu(document);
  };
  EXPECT_EQ(text(3.9e12, 62.6e9), "62 x the CPU (3.90 TB/s against 62.6 GB/s)");
  EXPECT_EQ(text(26.3e9, 62.6e9), "0.42 x the CPU (26.3 against 62.6 GB/s)");
  EXPECT_EQ(text(1e9, 1e9), "1.0 x the CPU (1.00 against 1.00 GB/s)");
  EXPECT_EQ(text(2, 4, Better::lower), "2.0 x the CPU (2.00 against 4.00 B/s)");
}

}  // namespace
}  // namespace warpmark
