// SPDX-License-Identifier: Apache-2.0
// Readings of a sampler are data from outside: any member may be missing, of another type or absurd.
#include "harness/summary/sampled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "harness/summary/device_readings.h"
#include "harness/summary/summary.h"
#include "harness/summary/xids.h"
#include "tests/harness/summary/sampled_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

SampledTelemetry read(const json& sampled) { return sampled_of({{"sampled", sampled}}).value(); }

TEST(SampledTelemetry, HasWhatTheSamplerRead) {
  const SampledTelemetry sampled = read(quiet_sampled());
  EXPECT_EQ(sampled.readings, 40);
  EXPECT_EQ(sampled.clock_hz->median, 1.71e9);
  EXPECT_EQ(sampled.power_w->max, 688);
  EXPECT_EQ(sampled.temperature_c->min, 48);
  EXPECT_EQ(sampled.link->generation, 5) << "the most that was seen";
  EXPECT_EQ(sampled.held.at(place_of_reason("idle")), 0.9);
  EXPECT_FALSE(sampled.missing());
}

TEST(SampledTelemetry, IsNotThereInDocumentsOfOlderVersions) {
  for (const json& telemetry : {json(), json(1), json::object(), json{{"sampled", nullptr}}, json{{"sampled", 3}}})
    EXPECT_FALSE(sampled_of(telemetry)) << telemetry;
}

TEST(SampledTelemetry, LeavesOutWhatIsOfAnotherType) {
  const json quiet = quiet_sampled();
  for (const auto& [key, was] : quiet.items()) {
    for (const json& strange :
         {json(), json("x"), json(-1), json(1e300), json::array({1, "x", nullptr, json::object()}),
          json{{"median", "1"}, {"share", -1}, {"max", json::array()}}}) {
      json sampled = quiet;
      sampled[key] = strange;
      (void)read(sampled);
      EXPECT_LE(summarise(sampled_run(3, 3, sampled)).doubt_count(), 1U) << key << " " << strange;
      sampled.erase(key);
      EXPECT_EQ(summarise(sampled_run(3, 3, sampled)).doubt_count(), 0U) << "without " << key;
    }
  }
}

TEST(SampledTelemetry, TakesNoNumberThatCannotBeRight) {
  for (const double wrong : {-5.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(read(sampled_with({{"/clock_hz/median", wrong}})).clock_hz) << wrong;
  const SampledTelemetry odd = read(sampled_with({{"/clock_hz/min", 9e9}, {"/clock_hz/max", nullptr}}));
  EXPECT_EQ(odd.clock_hz->min, 1.71e9);
  EXPECT_EQ(odd.clock_hz->max, 1.71e9);
  EXPECT_FALSE(read(sampled_with({{"/pcie/width/max", 255}})).link);
  EXPECT_EQ(read(held_by("sw_thermal", 1e9)).held.at(place_of_reason("sw_thermal")), 1);
  EXPECT_EQ(read(sampled_with({{"/readings", 1e300}})).readings, 0x1p53);
}

TEST(SampledTelemetry, BearsAMillionEntries) {
  json million = json::array();
  for (int i = 0; i < 1000000; ++i) million.push_back(i);
  const SampledTelemetry sampled =
      read(sampled_with({{"/xids", million}, {"/series/at", million}, {"/denied", million}}));
  EXPECT_EQ(sampled.xids.size(), 1000U);
}

TEST(SampledTelemetry, CountsOneCauseOnceWhenADriverSetsTwoBits) {
  const SampledTelemetry sampled =
      read(sampled_with({{"/held_down", json::parse(R"([{"reason": "hw_slowdown", "share": 0.4},
    {"reason": "hw_thermal", "share": 0.4}, {"reason": "of a newer driver", "kind": "flagged", "share": 1}])")}}));
  EXPECT_EQ(sampled.held.at(place_of_reason("hw_slowdown")), 0);
  EXPECT_EQ(sampled.held.at(place_of_reason("hw_thermal")), 0.4);
}

TEST(SampledTelemetry, WithoutAReadingIsMissingOnlyWithAReason) {
  const auto missing = [](const json& sampled) { return read(sampled).missing(); };
  EXPECT_FALSE(missing(sampled_with({{"/readings", 0}}))) << "the window was shorter than a period";
  const json why = json::array({{{"what", "sampled"}, {"why", "the sampler died"}}});
  EXPECT_TRUE(missing(sampled_with({{"/readings", 0}, {"/denied", why}})));
  EXPECT_TRUE(missing({{"denied", why}}));
  EXPECT_FALSE(missing(sampled_with({{"/denied", why}}))) << "some member could not be read, others were";
  EXPECT_FALSE(missing(sampled_with({{"/readings", 0}, {"/off", true}, {"/denied", why}}))) << "a quiet case";
}

TEST(HoldReasons, AreOfTheirKind) {
  for (const auto& [name, kind] : {std::pair{"sw_power_cap", HoldKind::expected},
                                   {"sw_thermal", HoldKind::flagged},
                                   {"hw_thermal", HoldKind::flagged},
                                   {"hw_slowdown", HoldKind::flagged},
                                   {"hw_power_brake", HoldKind::flagged},
                                   {"idle", HoldKind::benign},
                                   {"application_clocks", HoldKind::benign},
                                   {"sync_boost", HoldKind::benign},
                                   {"display_clock", HoldKind::benign}})
    EXPECT_EQ(hold_reasons.at(place_of_reason(name)).kind, kind) << name;
  EXPECT_EQ(place_of_reason("of a newer driver"), hold_reasons.size());
}

TEST(Xids, HaveNvidiasAction) {
  for (const auto& [xid, action] : {std::pair{13, XidAction::restart_program},
                                    {31, XidAction::restart_program},
                                    {43, XidAction::nothing},
                                    {48, XidAction::memory_errors},
                                    {54, XidAction::power_cable},
                                    {64, XidAction::reset_gpu},
                                    {74, XidAction::nvlink},
                                    {79, XidAction::restart_machine},
                                    {95, XidAction::reset_gpu},
                                    {120, XidAction::reset_gpu},
                                    {143, XidAction::reset_gpu},
                                    {151, XidAction::restart_guest},
                                    {1, XidAction::contact_support},
                                    {99999, XidAction::contact_support}})
    EXPECT_EQ(action_of_xid(xid), action) << xid;
  EXPECT_THAT(xid_sentence(79), StartsWith("Xid 79 (the GPU fell off the bus): restart the machine"));
  EXPECT_THAT(xid_sentence(62), HasSubstr("reset the GPU"));
  EXPECT_THAT(xid_sentence(999), StartsWith("Xid 999: ask NVIDIA's support"));
}

TEST(DeviceReadings, AreALineOfADevice) {
  Document document = sampled_run(3, 2, held_by("sw_power_cap", 0.83));
  const std::vector<DeviceReadings> all = device_readings(document);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(
      readings_text(all[0], "C"),
      "clock 1.71 GHz (86.4 % of its highest), 612 W of 700 W and 71 C at most; its power limit held it down 55.3 "
      "% of the time")
      << "two of three records";
  document.machine["nvidia"]["gpus"][0]["power"]["enforced_limit_w"] = 650;
  EXPECT_THAT(readings_text(device_readings(document)[0], "C"), HasSubstr("612 W of 650 W")) << "the one in force";
}

TEST(DeviceReadings, OfACpuSayWhatThereIs) {
  Document document = sampled_run(2, 2, {{"readings", 9}, {"clock_hz", {{"median", 3.684e9}}}});
  document.devices[0]["backend"] = "cpu";
  const std::vector<DeviceReadings> all = device_readings(document);
  EXPECT_TRUE(all[0].any());
  EXPECT_EQ(readings_text(all[0], "C"), "clock 3.68 GHz");
  EXPECT_FALSE(device_readings(sampled_run(2, 2, json::object()))[0].any());
}

TEST(DeviceReadings, AreOfTheirOwnDevice) {
  Document document = sampled_run(2, 1, sampled_with({{"/temperature_c/max", 90}}));
  document.devices.push_back(document.devices[0]);
  document.devices[1]["id"] = "cuda:1";
  document.devices[1]["facts"] = json::object();
  document.records[1].device = "cuda:1";
  const std::vector<DeviceReadings> all = device_readings(document);
  EXPECT_EQ(all[0].temperature_c, 90);
  EXPECT_EQ(all[1].temperature_c, 71);
  EXPECT_FALSE(all[1].power_limit_w) << "nobody knows which GPU of the card it is";
}

}  // namespace
}  // namespace warpmark
