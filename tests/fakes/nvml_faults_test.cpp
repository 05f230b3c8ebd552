// SPDX-License-Identifier: Apache-2.0
// Every way in which a scenario has a call of NVML go wrong.
#include <gmock/gmock.h>

#include <csignal>

#include "tests/fakes/nvml_rig.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

Return power_code(const Running& nvml, unsigned card = 0) {
  return ask<unsigned>(nvml.call().DeviceGetPowerUsage, nvml.card(card)).code;
}

TEST(NvmlFaults, TheNthCallFailsAndOthersDoNot) {
  const Running nvml(with_fault(machine_of("h200"), {{"call", "nvmlDeviceGetPowerUsage"}, {"nth", 2}, {"code", 999}}));
  EXPECT_EQ(success, power_code(nvml));
  EXPECT_EQ(unknown_error, power_code(nvml));
  EXPECT_EQ(success, power_code(nvml));
}

TEST(NvmlFaults, OfOneDeviceAreOfNoOther) {
  json machine = machine_of("h100x8");
  std::swap(machine["devices"][0]["pci"], machine["devices"][7]["pci"]);
  const Running nvml(
      with_fault(machine, {{"call", "nvmlDeviceGetPowerUsage"}, {"device", 0}, {"nth", 2}, {"code", 4}}));
  EXPECT_EQ(success, power_code(nvml, 0));
  EXPECT_EQ(success, power_code(nvml, 0)) << "the second call, but of another device";
  EXPECT_EQ(success, power_code(nvml, 7));
  EXPECT_EQ(no_permission, power_code(nvml, 7)) << "the scenario's first device has the last address";
}

TEST(NvmlFaults, TheStartCanFail) {
  const Running nvml(with_fault(machine_of("h200"), {{"call", "nvmlInit_v2"}, {"nth", 1}, {"code", 18}}));
  EXPECT_EQ(library_mismatch, nvml.opened.code);
  EXPECT_THAT(nvml.opened.problem, testing::HasSubstr("restart the machine"));
  EXPECT_EQ(uninitialized, ask<unsigned>(nvml.call().DeviceGetCount_v2).code);
  EXPECT_EQ(success, nvml.call().Init_v2.call()) << "the second time";
  EXPECT_EQ(success, nvml.call().Shutdown.call());
}

TEST(NvmlFaults, AnyFunctionCanBeAbsent) {
#define WARPMARK_NAME(name, ...) "nvml" #name,
  for (const char* const name : {WARPMARK_NVML_FUNCTIONS(WARPMARK_NAME)}) {
#undef WARPMARK_NAME
    SCOPED_TRACE(name);
    if (name == std::string("nvmlShutdown")) continue;  // what follows would find it running
    const Running nvml(with_fault(machine_of("h200"), {{"call", name}, {"absent", true}}));
    std::vector<std::string> missing;
#define WARPMARK_MISSING(function, ...) \
  if (nvml.call().function.call == nullptr) missing.push_back(nvml.call().function.name);
    WARPMARK_NVML_FUNCTIONS(WARPMARK_MISSING)
#undef WARPMARK_MISSING
    EXPECT_THAT(missing, testing::ElementsAre(name));
  }
}

TEST(NvmlFaultsDeathTest, ACallThatCrashesEndsTheProcess) {
  const Running nvml(
      with_fault(machine_of("h200"), {{"call", "nvmlDeviceGetPowerUsage"}, {"nth", 2}, {"crash", true}}));
  EXPECT_EQ(success, power_code(nvml));
  EXPECT_EXIT((void)power_code(nvml), testing::KilledBySignal(SIGSEGV), "");
}

TEST(NvmlFaultsDeathTest, ACallThatHangsNeverReturns) {
  const Running nvml(with_fault(machine_of("h200"), {{"call", "nvmlDeviceGetPowerUsage"}, {"hang", true}}));
  EXPECT_EXIT(
      {
        alarm(1);
        (void)power_code(nvml);
      },
      testing::KilledBySignal(SIGALRM), "");
}

TEST(NvmlFaults, ADeviceThatFellOffTheBusIsLost) {
  const Running nvml(machine_of("h100x8"));
  const Device third = nvml.card(3);
  EXPECT_EQ(success, ask<unsigned>(nvml.call().DeviceGetPowerUsage, third).code);
  const std::string file = nvml.path() + ".lost3";  // as the simulated driver leaves it
  std::ofstream(file) << "lost\n";
  EXPECT_EQ(gpu_is_lost, ask<unsigned>(nvml.call().DeviceGetPowerUsage, third).code);
  EXPECT_EQ(gpu_is_lost, ask<Device>(nvml.call().DeviceGetHandleByIndex_v2, 3U).code);
  EXPECT_EQ(success, power_code(nvml, 2));
  EXPECT_EQ(8U, told<unsigned>(nvml.call().DeviceGetCount_v2));
  std::filesystem::remove(file);
}

TEST(NvmlFaults, WithoutAScenarioThereIsNoDriver) {
  unsetenv("SIMULATED_MACHINE");
  testing::internal::CaptureStderr();
  const Opened opened = open_library();
  EXPECT_EQ(driver_not_loaded, opened.code);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("SIMULATED_MACHINE is not set"));
  json machine = machine_of("h200", {{"vbios", ""}});
  testing::internal::CaptureStderr();
  const Running nvml(machine);
  EXPECT_EQ(unknown_error, nvml.opened.code);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr(".devices[0].nvml: 'vbios' is no text"));
}

}  // namespace
}  // namespace warpmark::nvml
