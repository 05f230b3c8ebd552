// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/telemetry/nvml/abi.h"
#include "harness/telemetry/sampling/held_down.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// Ten readings a second from 100 s on: the clock falls from the fifth on, for heat.
Readings ten_hot_readings() {
  Readings readings;
  for (int i = 0; i < 10; ++i) {
    Reading reading;
    reading.at_seconds = 100 + 0.1 * i;
    reading[Quantity::clock_hz] = i < 5 ? 1.98e9 : 1.2e9;
    reading[Quantity::temperature_c] = 60 + i;
    reading[Counter::energy_j] = 5000 + 70 * i;
    reading[Counter::thermal_seconds] = 200 + (i < 5 ? 0 : 0.1 * (i - 4));
    reading[Counter::power_cap_seconds] = 5451;
    reading.reasons = i < 5 ? 0 : std::uint64_t{nvml::reason_sw_thermal};
    readings.add(reading);
  }
  return readings;
}

TEST(Readings, AreSummedUpBetweenTwoMoments) {
  const json all = ten_hot_readings().between(100, 101);
  EXPECT_EQ(all.at("readings"), 10);
  EXPECT_EQ(all.at("clock_hz"), (json{{"median", 1.98e9}, {"min", 1.2e9}, {"max", 1.98e9}}));
  EXPECT_EQ(all.at("temperature_c"), (json{{"median", 65.0}, {"min", 60.0}, {"max", 69.0}}));
  EXPECT_EQ(all.at("energy_j"), 700) << "70 J each 0.1 s, though the readings are 0.9 s apart";
  const json later = ten_hot_readings().between(100.45, 100.95);
  EXPECT_EQ(later.at("readings"), 5);
  EXPECT_EQ(later.at("clock_hz").at("max"), 1.2e9);
  EXPECT_EQ(later.at("energy_j"), 350) << "of half a second, from the reading before it to the last within";
}

TEST(Readings, GiveNoGrowthOfOneReading) {
  Readings readings;
  Reading reading;
  reading.at_seconds = 1;
  reading[Counter::energy_j] = 5000;
  readings.add(reading);
  EXPECT_FALSE(readings.between(0, 2).contains("energy_j")) << "0 J would be a figure that nobody measured";
  reading.at_seconds = 3;
  reading[Counter::energy_j] = 5070;
  readings.add(reading);
  readings.forget_before(2.5);
  EXPECT_FALSE(readings.between(2.5, 4).contains("energy_j")) << "the one before lies too long before";
}

TEST(Readings, SayWhatHeldTheClockDownAndForHowLong) {
  const json held = ten_hot_readings().between(100, 101).at("held_down");
  ASSERT_EQ(held.size(), 1U) << "a counter that stands still says nothing, however large: " << held;
  EXPECT_EQ(held[0], (json{{"reason", "sw_thermal"}, {"kind", "flagged"}, {"share", 0.5}, {"seconds", 0.555556}}))
      << "of a second";
  EXPECT_TRUE(ten_hot_readings().between(100, 100.45).at("held_down").empty());
}

TEST(Readings, BelieveTheDriversCounterWhereNoReadingSawTheReason) {
  Readings readings;
  for (int i = 0; i < 2; ++i) {
    Reading reading;
    reading.at_seconds = i;
    reading[Counter::power_cap_seconds] = 7 + 0.02 * i;
    reading.reasons = 0;
    readings.add(reading);
  }
  const json held = readings.between(0, 2).at("held_down");
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0], (json{{"reason", "sw_power_cap"}, {"kind", "expected"}, {"share", 0.0}, {"seconds", 0.04}}))
      << "0.02 in each of two seconds";
}

TEST(Readings, TellHeatOnceThoughTheCounterOfBothKindsGrows) {
  Readings readings;
  for (int i = 0; i < 3; ++i) {
    Reading reading;
    reading.at_seconds = i;
    reading[Counter::thermal_seconds] = 7 + i;
    reading.reasons = std::uint64_t{nvml::reason_hw_thermal};
    readings.add(reading);
  }
  const json held = readings.between(0, 3).at("held_down");
  ASSERT_EQ(held.size(), 1U) << held;
  EXPECT_EQ(held[0].at("reason"), "hw_thermal");
}

TEST(Readings, LeaveOutWhatWasNeverRead) {
  Readings readings;
  Reading reading;
  reading.at_seconds = 1;
  readings.add(reading);
  const json only = readings.between(0, 2);
  EXPECT_EQ(only, (json{{"readings", 1}}));
  EXPECT_EQ(readings.between(2, 3), (json{{"readings", 0}})) << "none between: nothing is made up";
}

TEST(Readings, GiveASeriesThatStaysShortHoweverLongTheCase) {
  Readings readings;
  constexpr int count = 7500;  // five minutes
  for (int i = 0; i < count; ++i) {
    Reading reading;
    reading.at_seconds = 0.04 * i;
    reading[Quantity::power_w] = i;
    readings.add(reading);
  }
  const json series = readings.between(0, 0.04 * count).at("series");
  ASSERT_EQ(series.at("at").size(), 240U);
  ASSERT_EQ(series.at("power_w").size(), 240U);
  EXPECT_FALSE(series.contains("clock_hz"));
  EXPECT_NEAR(series.at("at").at(0).get<double>(), 0.62, 0.03) << "the middle of its stretch";
  EXPECT_NEAR(series.at("power_w").at(239).get<double>(), count - 16, 2);
  EXPECT_EQ(readings.between(0, 1).at("series").at("at").size(), 4U) << "four a second where it is short";
}

TEST(Readings, TheirSeriesSaysWhatHeldTheClockDownWhen) {
  const json series = ten_hot_readings().between(100, 101).at("series");
  ASSERT_EQ(series.at("at").size(), 4U) << "of 0, 0.25, 0.5 and 0.75 s";
  EXPECT_EQ(series.at("held_down"), json::parse(R"([[], [], ["sw_thermal"], ["sw_thermal"]])"));
  Readings idle;
  Reading reading;
  reading.at_seconds = 1;
  reading[Quantity::power_w] = 70;
  reading.reasons = std::uint64_t{nvml::reason_idle};
  idle.add(reading);
  EXPECT_FALSE(idle.between(0, 2).at("series").contains("held_down")) << "idling holds nothing down";
}

TEST(Readings, TakeACounterThatFellForAnother) {
  Readings readings;
  for (const double joules : {900.0, 3.0}) {
    Reading reading;
    reading.at_seconds = joules == 900 ? 0 : 1;
    reading[Counter::energy_j] = joules;
    readings.add(reading);
  }
  EXPECT_FALSE(readings.between(0, 2).contains("energy_j"));
}

TEST(Readings, ForgetWhatNobodyAsksFor) {
  Readings readings = ten_hot_readings();
  readings.forget_before(100.5);
  EXPECT_EQ(readings.between(0, 200).at("readings"), 6) << "and the last before it";
  Readings many;
  for (int i = 0; i < 450'000; ++i) {
    Reading reading;
    reading.at_seconds = i;
    many.add(reading);
  }
  const auto kept = many.between(0, 1e9).at("readings").get<std::int64_t>();
  EXPECT_GT(kept, 50'000);
  EXPECT_LT(kept, 200'000);
  EXPECT_GT(many.between(0, 1000).at("readings"), 100) << "thinned out, not cut off";
}

TEST(HoldBits, CallNormalWhatIsNormal) {
  std::set<std::string_view> names;
  for (const HoldBit& each : hold_bits()) {
    const auto [name, kind, words, remedy] = *each.reason;
    names.insert(name);
    const bool is_fault =
        name == "sw_thermal" || name == "hw_thermal" || name == "hw_slowdown" || name == "hw_power_brake";
    EXPECT_EQ(kind == HoldKind::flagged, is_fault) << name;
    EXPECT_EQ(kind == HoldKind::expected, name == "sw_power_cap") << name;
  }
  EXPECT_EQ(names.size(), hold_reasons.size()) << "each once";
}

}  // namespace
}  // namespace warpmark
