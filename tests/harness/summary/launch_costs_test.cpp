// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/launch_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Record launch(const char* benchmark, double seconds, std::int64_t blocks = 1, const char* device = "cuda:0") {
  return made_record({.benchmark = benchmark,
                      .device = device,
                      .variant = "empty",
                      .axis = "blocks",
                      .size = blocks,
                      .value = seconds,
                      .metric = "latency"});
}

Record memory(const char* benchmark, double bytes_per_second, AxisValue footprint = "memory") {
  return made_record(
      {.benchmark = benchmark, .device = "cuda:0", .size = std::move(footprint), .value = bytes_per_second});
}

Record product(double flops) {
  return made_record({.benchmark = "gemm/square",
                      .device = "cuda:0",
                      .variant = "tiled",
                      .axis = "n",
                      .size = std::int64_t{8192},
                      .value = flops,
                      .metric = "flop_rate"});
}

std::vector<std::string> lines_of(std::vector<Record> records) {
  const Document document = made_document(std::move(records));
  std::vector<std::string> lines;
  for (const LaunchCosts& costs : launch_costs(summarise(document))) lines.push_back(launch_costs_text(costs));
  return lines;
}

TEST(LaunchCosts, AreHeldAgainstTheRatesOfTheSameRun) {
  const Document document = made_document({launch("launch/submit", 2e-6), launch("launch/submit", 9e-6, 65536),
                                           launch("launch/back_to_back", 1.5e-6), launch("launch/round_trip", 8e-6),
                                           memory("memory/read", 4e12), memory("memory/triad", 3e12),
                                           memory("memory/triad", 9e12, std::int64_t{16384}), product(5e14)});
  const RunSummary run = summarise(document);
  const std::vector<LaunchCosts> all = launch_costs(run);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().in_a_row_seconds, 2e-6) << "the host's part is the longer one; fewest blocks";
  EXPECT_EQ(all.front().waited_for_seconds, 8e-6);
  ASSERT_TRUE(all.front().in_a_row && all.front().waited_for);
  EXPECT_DOUBLE_EQ(all.front().in_a_row->bytes, 8e6);       // 2 us x 4 TB/s
  EXPECT_DOUBLE_EQ(all.front().in_a_row->elements, 250e3);  // 2 us x 3 TB/s / 24 B
  EXPECT_NEAR(all.front().in_a_row->n, 793.7, 0.1);         // (2 us x 500 TFLOP/s / 2)^(1/3)
  EXPECT_DOUBLE_EQ(all.front().waited_for->bytes, 32e6);
  EXPECT_NEAR(all.front().waited_for->n, 1259.9, 0.1);
}

TEST(LaunchCosts, SayWhatTheyAreAsLongAs) {
  EXPECT_THAT(
      lines_of({launch("launch/submit", 2e-6), launch("launch/back_to_back", 1.5e-6), memory("memory/read", 4e12)}),
      ElementsAre("cuda:0: a launch costs 2.00 µs where others follow it (as long as 7.63 MiB through memory); smaller "
                  "work costs less than its launch"));
  EXPECT_THAT(lines_of({launch("launch/round_trip", 8e-6)}),
              ElementsAre("cuda:0: a launch costs 8.00 µs where its end is waited for"));
}

TEST(LaunchCosts, TheSlowerOfHostAndDeviceCounts) {
  EXPECT_THAT(lines_of({launch("launch/submit", 2e-6), launch("launch/back_to_back", 3e-6)}),
              ElementsAre(HasSubstr("costs 3.00 µs where others follow")));
  EXPECT_THAT(lines_of({launch("launch/submit", 2e-6), launch("launch/round_trip", 9e-6)}),
              ElementsAre(Not(HasSubstr("follow"))))
      << "without the device's part nobody knows";
}

TEST(LaunchCosts, AreOfDevicesWhoseLaunchesWereMeasured) {
  EXPECT_THAT(lines_of({memory("memory/read", 4e12), product(5e14)}), IsEmpty());
  EXPECT_THAT(lines_of({launch("launch/round_trip", 9e-6), launch("launch/round_trip", 1e-6, 1, "cpu:0")}).size(), 2U);
}

}  // namespace
}  // namespace warpmark
