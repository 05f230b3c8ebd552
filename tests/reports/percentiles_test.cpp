// SPDX-License-Identifier: Apache-2.0
#include "reports/render/percentiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Record launch(const char* benchmark, std::int64_t blocks, double median, double p99, double p999) {
  Record record = made_record({.benchmark = benchmark,
                               .variant = "pool",
                               .axis = "blocks",
                               .size = blocks,
                               .value = median,
                               .metric = "latency"});
  for (const auto& [name, value] : {std::pair{"latency_p99", p99}, std::pair{"latency_p999", p999}}) {
    Metric metric = record.metrics.front();
    metric.name = name;
    metric.value = value;
    if (value > 0) record.metrics.push_back(metric);
  }
  return record;
}

std::vector<Chart> charts_for(const std::vector<Record>& records) {
  const std::vector documents{made_document(records)};
  return percentile_charts(results_of(documents, {}));
}

TEST(Percentiles, OfTheSmallestCaseOfEachBenchmark) {
  const auto charts =
      charts_for({launch("launch/submit", 1, 1e-6, 2e-6, 5e-6), launch("launch/submit", 128, 2e-6, 3e-6, 6e-6),
                  launch("launch/round_trip", 1, 4e-6, 5e-6, 90e-6)});
  ASSERT_EQ(charts.size(), 1U);
  std::vector<std::string> names;
  for (const json& row : charts.front().spec["data"]["values"]) names.push_back(row["series"]);
  EXPECT_THAT(names, ElementsAre("round trip, cpu:0 pool", "submit, cpu:0 pool"));
  const json& row = charts.front().spec["data"]["values"][1];
  EXPECT_DOUBLE_EQ(row["p50"], 1);
  EXPECT_DOUBLE_EQ(row["p99"], 2);
  EXPECT_DOUBLE_EQ(row["p999"], 5);
  EXPECT_EQ(charts.front().spec["height"], 96);
  EXPECT_EQ(charts.front().table["rows"].size(), 2U);
}

TEST(Percentiles, TwinOfCasesThatHaveNoneThereIsNoChart) {
  EXPECT_THAT(charts_for({launch("launch/submit", 1, 1e-6, 2e-6, 0)}), IsEmpty());
  EXPECT_THAT(charts_for({made_record({})}), IsEmpty());
}

}  // namespace
}  // namespace warpmark
