// SPDX-License-Identifier: Apache-2.0
// What is said of a rate when the device is warm: the fall, its reason, and nothing where there is nothing to say.
#include "harness/summary/steady.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_course.h"

namespace warpmark {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct Said {
  Document document{};
  RunSummary run{};
  std::vector<SteadyRate> rates{};

  explicit Said(std::vector<Record> records) : document(made_document(std::move(records))) {
    document.run["repeats"] = 1;
    run = summarise(document);
    rates = steady_rates(run);
  }
};

TEST(Steady, SaysWhatFellWhenAndWhy) {
  const Said said({made_course(600, "sw_thermal")});
  ASSERT_THAT(said.rates, SizeIs(1));
  EXPECT_EQ(steady_text(said.rates[0]),
            "1.00 kFLOP/s in the first seconds, 600 FLOP/s steady (-40.0 %) from 20.0 s on; 2.00 FLOP/s/W");
  EXPECT_EQ(fall_text(said.rates[0]),
            "its rate fell by 40.0 % and stayed there from 20.0 s on, from 1.00 kFLOP/s to 600 FLOP/s, its clock from "
            "1.98 GHz to 1.19 GHz: heat (the driver's thermal slowdown) held it down; improve its cooling (fans, dust, "
            "air flow), or ask the provider of a rented machine for another");
  EXPECT_THAT(said.run.cases[0].doubts, Contains(HasSubstr("repeat 1: its rate fell by 40.0 %")));
  EXPECT_THAT(said.run.cases[0].doubts, Not(Contains(HasSubstr("last third"))));
  EXPECT_THAT(said.run.cases[0].doubts, Not(Contains(HasSubstr("two speeds"))));
}

TEST(Steady, APowerLimitIsNormal) {
  const Said said({made_course(900, "sw_power_cap")});
  EXPECT_THAT(fall_text(said.rates.at(0)),
              HasSubstr("its power limit held it down, which is normal under sustained load"));
}

TEST(Steady, AFallThatNothingExplainsSaysSo) {
  const Said said({made_course(900, "")});
  EXPECT_EQ(said.rates.at(0).held_by, nullptr);
  EXPECT_THAT(fall_text(said.rates.at(0)), HasSubstr("nothing that was read says why"));
}

TEST(Steady, AReasonBeforeItSettledIsNotWhy) {
  Record record = made_course(900, "sw_thermal");
  nlohmann::json& held = record.telemetry["sampled"]["series"]["held_down"];
  for (std::size_t i = 0; i < 60; ++i)
    held[i] = i < 20 ? nlohmann::json::array({"sw_thermal"}) : nlohmann::json::array();
  EXPECT_EQ(Said({record}).rates.at(0).held_by, nullptr);
}

TEST(Steady, SaysNothingOfARateThatStayed) {
  const Said said({made_course(980, "sw_power_cap")});
  EXPECT_FALSE(said.rates.at(0).fell());
  EXPECT_EQ(fall_text(said.rates.at(0)), "");
  EXPECT_THAT(said.run.cases[0].doubts, IsEmpty());
}

TEST(Steady, SaysThatItWasStillChanging) {
  Record record = made_course(600, "sw_thermal");
  record.course->settled_at.reset();
  record.status = Status::not_converged;
  const Said said({record});
  EXPECT_THAT(steady_text(said.rates.at(0)), HasSubstr("(-40.0 %), still changing at the end"));
  EXPECT_THAT(fall_text(said.rates.at(0)), HasSubstr("by 40.0 % and was still changing at the end, from"));
}

TEST(Steady, IsOfCasesWithACourseAndANumber) {
  Record failed = made_course(600, "sw_thermal");
  failed.status = Status::failed;
  Record bare = made_course(600, "sw_thermal");
  bare.metrics.resize(1);
  EXPECT_THAT(Said({made_record({})}).rates, IsEmpty());
  EXPECT_THAT(Said({failed}).rates, IsEmpty());
  EXPECT_THAT(Said({bare}).rates, IsEmpty());
}

TEST(Steady, HostileReadingsSayNothing) {
  for (const nlohmann::json& series : {nlohmann::json("none"), nlohmann::json{{"at", 7}, {"held_down", {}}},
                                       nlohmann::json{{"at", {"x", nullptr}}, {"held_down", {1, {2, "sw_thermal"}}}}}) {
    Record record = made_course(600, "sw_thermal");
    record.telemetry["sampled"]["series"] = series;
    EXPECT_EQ(Said({record}).rates.at(0).held_by, nullptr) << series;
  }
}

TEST(Once, OneRepeatIsAllOfACaseThatIsMeasuredOnce) {
  Document document = made_document({made_course(980, "")});
  document.run["repeats"] = 3;
  EXPECT_THAT(summarise(document).cases[0].doubts, Contains("only 1 of 3 repeats are there"));
  document.run["once"] = {document.records[0].id};
  EXPECT_THAT(summarise(document).cases[0].doubts, IsEmpty());
}

}  // namespace
}  // namespace warpmark
