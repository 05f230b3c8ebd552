// SPDX-License-Identifier: Apache-2.0
#include "reports/render/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<json> rows_of(const Chart& chart, const std::string& kind) {
  std::vector<json> rows;
  for (const json& row : chart.spec["data"]["values"])
    if (row["kind"] == kind) rows.push_back(row);
  return rows;
}

std::vector<Chart> charts_for(const Document& document) { return charts_of(summarise(document), document.devices[0]); }

TEST(Charts, DrawOneDotPerUsableRepeatInTheUnitOfTheAxis) {
  const Document document = made_document({made_record({.size = 16384, .value = 280e9}),
                                           made_record({.size = 16384, .repeat = 1, .value = 270e9}),
                                           made_record({.size = 16384, .repeat = 2, .status = Status::failed})});
  const std::vector<Chart> charts = charts_for(document);
  ASSERT_EQ(charts.size(), 1U);
  const std::vector<json> dots = rows_of(charts[0], "repeat");
  ASSERT_EQ(dots.size(), 2U);
  EXPECT_EQ(dots[0]["value"], 280.0);
  EXPECT_EQ(dots[0]["x"], 16384.0);
  EXPECT_EQ(dots[0]["series"], "plain");
  // The made samples lie from half to twice the median: rates from half to twice the value.
  EXPECT_EQ(dots[0]["low"], 140.0);
  EXPECT_EQ(dots[0]["high"], 560.0);
  EXPECT_THAT(charts[0].spec.dump(), HasSubstr("(GB/s)"));
  EXPECT_THAT(charts[0].spec.dump(), testing::Not(HasSubstr("last-level cache")));
}

TEST(Charts, HoldNothingOfTheTemplatesSample) {
  const Document document = made_document({made_record({.variant = "mine", .size = 4096, .value = 3e12})});
  const std::string spec = charts_for(document).at(0).spec.dump();
  EXPECT_THAT(spec, testing::Not(HasSubstr("avx512")));
  EXPECT_THAT(spec, testing::Not(HasSubstr("690")));
  EXPECT_THAT(spec, HasSubstr("(TB/s)"));
  EXPECT_THAT(spec, HasSubstr(R"("domain":["mine"])"));
}

TEST(Charts, PlaceMainMemoryAtTheBytesOfALaunch) {
  const Document document = made_document({made_record({.size = "memory"}), made_record({.size = 16384})});
  const Chart chart = charts_for(document).at(0);
  EXPECT_EQ(rows_of(chart, "repeat")[1]["x"], 3e9);
  ASSERT_EQ(rows_of(chart, "cache").size(), 1U);
  EXPECT_EQ(rows_of(chart, "cache")[0]["label"], "last-level cache 1 MiB");
}

TEST(Charts, DrawACeilingOnceAndNameItOnce) {
  Made made{.benchmark = "gemm", .axis = "n", .size = 512, .value = 100e9, .ceiling = 268e9, .metric = "flop_rate"};
  Made other = made;
  other.size = 1024;
  const Document document = made_document({made_record(made), made_record(other)});
  const std::vector<json> ceilings = rows_of(charts_for(document).at(0), "ceiling");
  ASSERT_EQ(ceilings.size(), 1U);
  EXPECT_EQ(ceilings[0]["value"], 268.0);
  EXPECT_EQ(ceilings[0]["label"], "ceiling 268 GFLOP/s (derived)");
}

TEST(Charts, TellModesApartWhereThereAreSeveral) {
  const Document document = made_document({made_record({}), made_record({.mode = Mode::isolated})});
  EXPECT_EQ(rows_of(charts_for(document).at(0), "repeat")[1]["series"], "plain, batch");
}

TEST(Charts, AreNotMadeOfNothing) {
  EXPECT_TRUE(charts_for(made_document({})).empty());
  EXPECT_TRUE(charts_for(made_document({made_record({.status = Status::failed})})).empty());
  EXPECT_TRUE(charts_for(made_document({made_record({.axis = "other"})})).empty());
  EXPECT_TRUE(charts_for(made_document({made_record({.device = "cpu:1"})})).empty());
}

TEST(Charts, NameTheDeviceAndTheBestForThoseWhoCannotSeeThem) {
  const Document document = made_document({made_record({.value = 280e9})});
  const Chart chart = charts_for(document).at(0);
  EXPECT_THAT(chart.description, HasSubstr("on A CPU"));
  EXPECT_THAT(chart.description, HasSubstr("280 GB/s"));
  EXPECT_EQ(chart.spec["description"], chart.description);
}

}  // namespace
}  // namespace warpmark
