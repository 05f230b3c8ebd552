// SPDX-License-Identifier: Apache-2.0
#include "harness/run/telemetry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/run/held_processes.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Telemetry, ThatHangsIsLeftAloneAndSaysSoInItsPlace) {
  HeldProcesses held;
  Telemetry telemetry(held, std::chrono::milliseconds(50));
  const json& card = telemetry.card();
  EXPECT_TRUE(card.at("gpus").empty());
  EXPECT_THAT(card.at("nvml").at("why").get<std::string>(), HasSubstr("did not answer: a driver may hang; process"));
  telemetry.begin(DeviceInfo{.id = "cpu:0", .backend = "cpu"});
  Record record;
  record.telemetry["window"] = {{"begin", 1.0}, {"end", 2.0}};
  telemetry.add_to(record);
  EXPECT_EQ(record.telemetry.at("sampled").at("readings"), 0);
  EXPECT_THAT(record.telemetry.at("sampled").at("denied").at(0).at("why").get<std::string>(),
              HasSubstr("cannot be ended"));
  telemetry.pause(true);
  EXPECT_EQ(telemetry.usage(), nullptr);
  EXPECT_EQ(telemetry.end(), held.started().front());
  EXPECT_EQ(held.started().size(), 1U) << "a driver that hangs will hang again";
}

TEST(Telemetry, AddsNothingToARecordThatWasNotMeasured) {
  HeldProcesses held;
  Telemetry telemetry(held, std::chrono::milliseconds(10));
  telemetry.begin(DeviceInfo{.id = "cpu:0", .backend = "cpu"});
  Record record;
  telemetry.add_to(record);
  EXPECT_FALSE(record.telemetry.contains("sampled"));
}

}  // namespace
}  // namespace warpmark
