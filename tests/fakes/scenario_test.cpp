// SPDX-License-Identifier: Apache-2.0
// Scenario files: the ready machines are taken, and what is wrong in one is refused with its place.
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>

#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string complaint_of(const json& scenario) {
  try {
    (void)parse_scenario(scenario.dump(), "file");
    return "none";
  } catch (const BadScenario& bad) {
    return bad.what();
  }
}

std::string complaint_with(const std::function<void(json&)>& change) {
  json scenario = machine("h200_throttled");
  change(scenario);
  return complaint_of(scenario);
}

TEST(Scenarios, TheReadyMachinesAreTaken) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPMARK_SOURCE_DIR "/tests/fakes/machines")) {
    const Scenario scenario = read_scenario(file.path());
    EXPECT_FALSE(scenario.devices.empty()) << file.path();
    EXPECT_EQ(13000, scenario.driver_version) << file.path();
    for (const DeviceTruth& device : scenario.devices)
      EXPECT_LE(device.memory_bandwidth, 2 * device.memory_clock_hz * device.memory_bus_bits / 8) << file.path();
    ++count;
  }
  EXPECT_EQ(8, count);
}

TEST(Scenarios, WhatIsSaidIsRead) {
  json json_text = machine("h200_throttled", {{"jitter", {{"sigma", 0.5}, {"seed", 9}}}, {"host_call_seconds", 0.25}});
  json_text["faults"] = json::array({{{"kernel", "k"}, {"nth", 2}, {"device", 0}, {"spoil", true}}});
  const Scenario scenario = parse_scenario(json_text.dump(), "file");
  EXPECT_EQ(0.5, scenario.jitter_sigma);
  EXPECT_EQ(9U, scenario.jitter_seed);
  EXPECT_EQ(0.25, scenario.host_call_seconds);
  EXPECT_EQ(0.02, scenario.devices[0].throttle.at_seconds);
  EXPECT_EQ(0.6, scenario.devices[0].throttle.factor);
  EXPECT_EQ(4096, scenario.devices[0].units.at("bf16_matrix").flop_per_clock);
  ASSERT_EQ(1U, scenario.faults.size());
  EXPECT_EQ("k", scenario.faults[0].kernel);
  EXPECT_TRUE(scenario.faults[0].spoil);
  EXPECT_EQ(2, scenario.faults[0].nth);
}

TEST(Scenarios, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ("none", complaint_with([](json&) {}));
  EXPECT_EQ("file: 'driver' is unknown", complaint_with([](json& s) { s["driver"] = 1; }));
  EXPECT_EQ("file: 'driver_version' is missing", complaint_with([](json& s) { s.erase("driver_version"); }));
  EXPECT_EQ("file: 'driver_version' is no whole number", complaint_with([](json& s) { s["driver_version"] = 12.4; }));
  EXPECT_EQ("file.devices[0]: 'smss' is unknown", complaint_with([](json& s) { s["devices"][0]["smss"] = 1; }));
  EXPECT_EQ("file.devices[0]: 'sms' is not at least 1", complaint_with([](json& s) { s["devices"][0]["sms"] = 0; }));
  EXPECT_EQ("file.devices[0].units.f32_fma: 'share' is not more than 0",
            complaint_with([](json& s) { s["devices"][0]["units"]["f32_fma"]["share"] = 0; }));
  EXPECT_EQ("file.devices[0].throttle: 'until' is unknown",
            complaint_with([](json& s) { s["devices"][0]["throttle"]["until"] = 1; }));
  EXPECT_THAT(complaint_with([](json& s) { s["devices"][0]["uuid"] = "GPU-1"; }),
              HasSubstr("file.devices[0]: 'uuid' is not of the form"));
  EXPECT_EQ("file.devices[0]: 'memory_free_bytes' is more than memory_bytes",
            complaint_with([](json& s) { s["devices"][0]["memory_free_bytes"] = 200'000'000; }));
  EXPECT_EQ("file.devices[0] is no object", complaint_of({{"driver_version", 13000}, {"devices", json::array({1})}}));
}

TEST(Scenarios, LatenciesOfLoadsAreReadOrUsual) {
  json slower = machine("h200");
  slower["devices"][0]["load_latency"] = {
      {"l1_bytes", 512}, {"l1_seconds", 1e-8}, {"l2_seconds", 2e-7}, {"memory_seconds", 1e-6}};
  const LoadLatency read = parse_scenario(slower.dump(), "file").devices[0].load_latency;
  EXPECT_EQ(512U, read.l1_bytes);
  EXPECT_EQ(1e-8, read.l1_seconds);
  EXPECT_EQ(2e-7, read.l2_seconds);
  EXPECT_EQ(1e-6, read.memory_seconds);
  EXPECT_EQ(600e-9, parse_scenario(machine("h200").dump(), "file").devices[0].load_latency.memory_seconds);
  slower["devices"][0]["load_latency"].erase("l2_seconds");
  EXPECT_EQ("file.devices[0].load_latency: 'l2_seconds' is missing", complaint_of(slower));
}

TEST(Scenarios, WhatNvmlSaysHasToAgreeWithTheDevice) {
  const auto complaint = [](const json& card) {
    return complaint_with([&](json& s) { s["devices"][0]["nvml"].update(card); });
  };
  EXPECT_EQ("none", complaint(json::object()));
  EXPECT_EQ("none", complaint_with([](json& s) { s["devices"][0].erase("nvml"); }));
  EXPECT_EQ("file.devices[0].nvml: 'fan' is unknown", complaint({{"fan", 1}}));
  EXPECT_EQ("file.devices[0].nvml.power: 'idle_w' is no number", complaint({{"power", {{"idle_w", "75"}}}}));
  EXPECT_EQ("file.devices[0].nvml: 'ecc' is not what the device says of it", complaint({{"ecc", {{"on", false}}}}));
  EXPECT_THAT(complaint({{"memory_reserved_bytes", 1'101'563}}), HasSubstr("is more than memory_bytes less"));
  EXPECT_EQ("none", complaint({{"memory_reserved_bytes", 1'101'562}}));
  EXPECT_THAT(complaint({{"processes", json::array({{{"pid", 1}, {"used_bytes", 2'000'000}}})}}),
              HasSubstr("'processes' hold more than memory_bytes less memory_free_bytes"));
  EXPECT_EQ("file.devices[0].nvml.held_down[0]: 'reason' is none that there is",
            complaint({{"held_down", json::array({{{"reason", "boredom"}}})}}));
  EXPECT_EQ("file.devices[0].nvml: 'virtualization' is none that there is", complaint({{"virtualization", "half"}}));
  EXPECT_EQ("file.devices[0].nvml: 'place' is no list of whole numbers", complaint({{"place", {-1}}}));
  EXPECT_EQ(
      "file.devices[0].nvml.mig: 'instances' has one where none can be",
      complaint({{"mig",
                  {{"on", false},
                   {"instances", json::array({{{"uuid", "MIG-1"}, {"multiprocessors", 16}, {"memory_bytes", 1}}})}}}}));
  EXPECT_EQ("file.devices[0].nvml.temperature: 'memory_idle_c' needs 'memory_load_c', and the other way round",
            complaint_with([](json& s) { s["devices"][0]["nvml"]["temperature"].erase("memory_load_c"); }));
}

TEST(Scenarios, FaultsHaveToMakeSense) {
  const auto complaint = [](const json& fault) {
    return complaint_with([&](json& s) { s["faults"] = json::array({fault}); });
  };
  EXPECT_EQ("none", complaint({{"call", "cuInit"}, {"code", 3}}));
  EXPECT_EQ("none", complaint({{"call", "cuInit"}, {"absent", true}}));
  EXPECT_EQ("none", complaint({{"kernel", "k"}, {"lost", true}}));
  EXPECT_EQ("none", complaint({{"call", "nvmlInit_v2"}, {"device", 1}, {"hang", true}}));
  EXPECT_EQ("file.faults[0]: 'device' is unknown", complaint({{"call", "cuInit"}, {"device", 1}, {"hang", true}}));
  EXPECT_EQ("file.faults[0]: 'call' is of no library that is simulated", complaint({{"call", "free"}, {"hang", true}}));
  EXPECT_EQ("file.faults[0]: 'call' needs one of 'code', 'hang', 'crash', 'absent'", complaint({{"call", "cuInit"}}));
  EXPECT_EQ("file.faults[0]: 'call' or 'kernel' is needed, and not both", complaint({{"nth", 1}}));
  EXPECT_EQ("file.faults[0]: 'spoil' is unknown", complaint({{"call", "cuInit"}, {"code", 3}, {"spoil", true}}));
  EXPECT_EQ("file.faults[0]: 'kernel' needs one of 'code', 'hang', 'spoil', 'lost'",
            complaint({{"kernel", "k"}, {"code", 719}, {"hang", true}}));
  EXPECT_EQ("file.faults[0]: 'nth' is not at least 1", complaint({{"kernel", "k"}, {"nth", 0}, {"hang", true}}));
}

TEST(Scenarios, WhatIsNoJsonOrNoFileIsRefused) {
  EXPECT_THROW((void)parse_scenario("{", "file"), BadScenario);
  EXPECT_EQ("file: '\\u001b[2J' is unknown", complaint_with([](json& s) { s["\x1b[2J"] = 1; }));
  EXPECT_THROW((void)read_scenario("/no/such/file"), BadScenario);
}

}  // namespace
}  // namespace warpmark::fakes
