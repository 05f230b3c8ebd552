// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/transfer_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Copies {
  std::string kind = "pinned";
  std::string direction = "h2d";
  double latency = 10e-6;
  double bandwidth = 50e9;
  std::vector<std::int64_t> sizes{4, 65536, std::int64_t{1} << 30};
};

void add(std::vector<Record>& to, const Copies& copies, int repeat = 0) {
  for (const std::int64_t size : copies.sizes) {
    Record record =
        made_record({.benchmark = "transfer/copy", .device = "cuda:0", .variant = copies.kind, .repeat = repeat});
    record.at.kernel.dtype = DType::u8;
    record.at.at = {{"direction", copies.direction}, {"node", std::string("near")}, {"bytes", size}};
    record.id = "transfer/copy/cuda:0/" + copies.kind + "/u8/direction=" + copies.direction +
                "/node=near/bytes=" + std::to_string(size);
    record.work = {.bytes_written = static_cast<double>(size)};
    record.stats->median = copies.latency + static_cast<double>(size) / copies.bandwidth;
    to.push_back(record);
  }
}

std::vector<TransferCurve> curves_of(const std::vector<Record>& records) {
  const Document document = made_document(records);
  return transfer_curves(summarise(document));
}

TEST(TransferCurves, AreTheTimeOfNothingTheRateAndTheSizeOfHalfOfIt) {
  std::vector<Record> records;
  add(records, {});
  const auto curves = curves_of(records);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_NEAR(curves[0].latency_seconds / 10e-6, 1, 1e-6);
  EXPECT_NEAR(curves[0].bandwidth / 50e9, 1, 1e-6);
  EXPECT_NEAR(curves[0].half_bytes / 500e3, 1, 1e-6);
  EXPECT_EQ(curves[0].points.size(), 3U);
}

TEST(TransferCurves, TakeTheMedianOfTheRepeatsThatMayBeUsed) {
  std::vector<Record> records;
  add(records, {.bandwidth = 40e9}, 0);
  add(records, {.bandwidth = 50e9}, 1);
  add(records, {.bandwidth = 60e9}, 2);
  add(records, {.bandwidth = 1e9}, 3);
  for (Record& record : records)
    if (record.repeat == 3) record.verification->error = 1;
  const auto curves = curves_of(records);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_NEAR(curves[0].bandwidth / 50e9, 1, 1e-6);
}

TEST(TransferCurves, SayWhatPinningGains) {
  std::vector<Record> records;
  add(records, {});
  add(records, {.kind = "pageable", .latency = 20e-6, .bandwidth = 10e9});
  add(records, {.direction = "d2h"});
  const auto lines = transfer_lines(curves_of(records), " x ");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("cuda:0 d2h, near: pinned 50.0 GB/s, 10.0 µs for a copy of nothing"),
                                 HasSubstr("cuda:0 h2d, near: pageable 10.0 GB/s, 20.0 µs for a copy of nothing"),
                                 HasSubstr("cuda:0 h2d, near: pinned 50.0 GB/s"),
                                 "cuda:0 h2d, near: pinned is 5.0 x pageable"));
}

TEST(TransferCurves, SayWhereNoLineFits) {
  std::vector<Record> records;
  add(records, {.sizes = {4, 4096, 65536, 1 << 20}});
  records[1].stats->median *= 8;
  EXPECT_THAT(transfer_lines(curves_of(records), " x "), ElementsAre(HasSubstr("the sizes lie on no line")));
}

TEST(TransferCurves, AreNoneOfTwoSizesOrOfOtherBenchmarks) {
  std::vector<Record> records;
  add(records, {.sizes = {4, 4096}});
  EXPECT_THAT(curves_of(records), IsEmpty());
  EXPECT_THAT(curves_of({made_record({})}), IsEmpty());
}

}  // namespace
}  // namespace warpmark
