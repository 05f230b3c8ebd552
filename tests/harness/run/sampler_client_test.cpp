// SPDX-License-Identifier: Apache-2.0
#include "harness/run/sampler_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/run/held_processes.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(SamplerClient, ThatHangsIsLeftAloneAndSaysSoInItsPlace) {
  HeldProcesses held;
  SamplerClient sampler(held, std::chrono::milliseconds(50));
  const json& card = sampler.card();
  EXPECT_TRUE(card.at("gpus").empty());
  EXPECT_THAT(card.at("nvml").at("why").get<std::string>(), HasSubstr("did not answer: a driver may hang; process"));
  sampler.begin(DeviceInfo{.id = "cpu:0", .backend = "cpu"});
  Record record;
  record.telemetry["window"] = {{"begin", 1.0}, {"end", 2.0}};
  sampler.add_to(record);
  EXPECT_EQ(record.telemetry.at("sampled").at("readings"), 0);
  EXPECT_THAT(record.telemetry.at("sampled").at("denied").at(0).at("why").get<std::string>(),
              HasSubstr("cannot be ended"));
  sampler.pause(true);
  EXPECT_EQ(sampler.usage(), nullptr);
  EXPECT_EQ(sampler.end(), held.started().front());
  EXPECT_EQ(held.started().size(), 1U) << "a driver that hangs will hang again";
}

TEST(SamplerClient, AddsNothingToARecordThatWasNotMeasured) {
  HeldProcesses held;
  SamplerClient sampler(held, std::chrono::milliseconds(10));
  sampler.begin(DeviceInfo{.id = "cpu:0", .backend = "cpu"});
  Record record;
  sampler.add_to(record);
  EXPECT_FALSE(record.telemetry.contains("sampled"));
}

}  // namespace
}  // namespace warpmark
