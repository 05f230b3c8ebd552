// SPDX-License-Identifier: Apache-2.0
// The strip of a case that ran for a given time: its bands, its levels, and what held the clock down, where it did.
#include "reports/render/steady_strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/render/report.h"
#include "tests/reports/made_course.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<SteadyStrip> strips(const Record& record) {
  const std::vector documents{made_document({record})};
  return steady_strips_of(results_of(documents, {}).at(0));
}

std::vector<json> rows_of(const SteadyStrip& strip, const std::string& kind, bool levels = false) {
  std::vector<json> rows;
  for (const json& row : strip.spec["data"]["values"])
    if (row["kind"] == kind && row.contains("limit") == levels) rows.push_back(row);
  return rows;
}

TEST(SteadyStrip, HasTheRateOverItsSecondsAndTheReadingsBelowIt) {
  const SteadyStrip strip = strips(made_course(600, "sw_thermal")).at(0);
  EXPECT_THAT(rows_of(strip, "rate"), SizeIs(60));
  EXPECT_EQ(rows_of(strip, "rate")[19]["value"], 1.0) << "kFLOP/s";
  EXPECT_EQ(rows_of(strip, "rate")[20]["value"], 0.6);
  EXPECT_THAT(rows_of(strip, "clock"), SizeIs(60));
  EXPECT_EQ(rows_of(strip, "clock")[0]["t"], 0.5) << "readings count from the warm-up, which took half a second";
  const std::vector<json> levels = rows_of(strip, "rate", true);
  ASSERT_THAT(levels, SizeIs(2));
  EXPECT_EQ(levels[0]["to"], 5.0);
  EXPECT_EQ(levels[1]["from"], 20.0);
  EXPECT_EQ(levels[1]["to"], 59 + 1000.0 / 600);
  EXPECT_EQ(levels[1]["text"], "600 FLOP/s steady");
  EXPECT_EQ(rows_of(strip, "settled").at(0)["at"], 20.0);
}

TEST(SteadyStrip, ShadesWhatHeldTheClockDown) {
  const SteadyStrip strip = strips(made_course(600, "sw_thermal")).at(0);
  EXPECT_TRUE(strip.heat);
  EXPECT_FALSE(strip.limit);
  ASSERT_THAT(rows_of(strip, "heat"), SizeIs(1)) << "neighbours together";
  EXPECT_EQ(rows_of(strip, "heat")[0]["from"], 19.5);
  EXPECT_EQ(rows_of(strip, "heat")[0]["to"], 59.5);
  const SteadyStrip limited = strips(made_course(900, "sw_power_cap")).at(0);
  EXPECT_TRUE(limited.limit);
  EXPECT_FALSE(limited.heat);
  EXPECT_FALSE(strips(made_course(900, "")).at(0).limit);
}

TEST(SteadyStrip, ItsTableHasThePartsSideBySide) {
  const SteadyStrip strip = strips(made_course(600, "sw_thermal")).at(0);
  const json& rows = strip.table["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["cells"], json({"0", "1.00 kFLOP/s", "1.98 GHz", "500 W", "44 °C", ""}));
  EXPECT_EQ(rows[1]["cells"], json({"20", "600 FLOP/s", "1.19 GHz", "300 W", "87 °C", "2.00 FLOP/s/W"}));
}

TEST(SteadyStrip, LeavesOutBandsThatWereNotRead) {
  Record record = made_course(600, "");
  record.telemetry = json::object();
  const SteadyStrip strip = strips(record).at(0);
  std::vector<std::string> names;
  for (const json& layer : strip.spec["layer"]) names.push_back(layer["name"]);
  EXPECT_THAT(names, ElementsAre("settled", "rate_title", "rate"));
}

TEST(SteadyStrip, IsOnThePageAndInMarkdown) {
  const std::vector documents{made_document({made_course(600, "sw_thermal")})};
  const std::string page = html_report(documents, {});
  EXPECT_THAT(page, HasSubstr("id=\"steady-section\""));
  EXPECT_THAT(page, HasSubstr("id=\"steady-1\""));
  EXPECT_THAT(markdown_report(documents, {}), HasSubstr("### When it is warm"));
  const std::vector others{made_document({made_record({})})};
  EXPECT_THAT(html_report(others, {}), Not(HasSubstr("id=\"steady-section\"")));
  EXPECT_THAT(markdown_report(others, {}), Not(HasSubstr("When it is warm")));
  EXPECT_THAT(strips(made_record({})), IsEmpty());
}

}  // namespace
}  // namespace warpmark
