// SPDX-License-Identifier: Apache-2.0
// The simulated NVML says of a card what the scenario has, and refuses what the real one refuses, with its codes.
#include <gmock/gmock.h>

#include "tests/fakes/nvml_rig.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

constexpr const char* machines[] = {"a10g_passthrough", "h100_mig", "h100x8",  "h200",
                                    "h200_throttled",   "l4",       "rtx4090", "vgpu"};

TEST(NvmlCards, AreWhatTheScenarioSays) {
  for (const char* const name : machines) {
    SCOPED_TRACE(name);
    const json machine = machine_of(name);
    const Running nvml(machine);
    ASSERT_EQ("", nvml.opened.problem);
    ASSERT_EQ(machine["devices"].size(), told<unsigned>(nvml.call().DeviceGetCount_v2));
    for (unsigned i = 0; i < machine["devices"].size(); ++i) {
      const json& truth = machine["devices"][i];
      const Device card = nvml.card(i);
      EXPECT_EQ(truth["name"], ask_text(nvml.call().DeviceGetName, card, name_bytes).value);
      EXPECT_EQ(truth["uuid"], ask_text(nvml.call().DeviceGetUUID, card, uuid_bytes).value);
      EXPECT_EQ(truth["nvml"]["vbios"], ask_text(nvml.call().DeviceGetVbiosVersion, card, vbios_bytes).value);
      const auto pci = told<PciInfo>(nvml.call().DeviceGetPciInfo_v3, card);
      EXPECT_EQ("0000" + truth["pci"].get<std::string>(), pci.bus_id);
      EXPECT_EQ(truth["pci"], pci.bus_id_legacy);
      EXPECT_EQ(std::stoul(truth["nvml"]["pci_ids"]["device"].get<std::string>(), nullptr, 16), pci.device_id);
      EXPECT_EQ(static_cast<unsigned>(truth["sm_clock_hz"].get<double>() * 1000 / 1e6),
                told<unsigned>(nvml.call().DeviceGetMaxClockInfo, card, int{clock_sm}));
      MemoryV2 memory{};
      memory.version = memory_v2_version;
      EXPECT_EQ(success, nvml.call().DeviceGetMemoryInfo_v2.call(card, &memory));
      EXPECT_EQ(truth["memory_bytes"], memory.total);
      EXPECT_EQ(truth["memory_free_bytes"], memory.free);
      EXPECT_EQ(memory.total, memory.used + memory.free);
      EXPECT_LE(memory.reserved, memory.used);
    }
  }
}

TEST(NvmlCards, OfAnH200AreTheDataSheets) {
  const Running nvml(machine_of("h200"));
  const Device card = nvml.card();
  const Functions& call = nvml.call();
  const auto capability = ask_pair<int>(call.DeviceGetCudaComputeCapability, card).value.value();
  EXPECT_EQ(90, capability.first * 10 + capability.second);
  EXPECT_EQ(16896U, told<unsigned>(call.DeviceGetNumGpuCores, card));
  EXPECT_EQ(6144U, told<unsigned>(call.DeviceGetMemoryBusWidth, card));
  EXPECT_EQ(1980U, told<unsigned>(call.DeviceGetMaxClockInfo, card, int{clock_sm}));
  EXPECT_EQ(3125U, told<unsigned>(call.DeviceGetMaxClockInfo, card, int{clock_memory}));
  EXPECT_EQ(1980U, told<unsigned>(call.DeviceGetApplicationsClock, card, int{clock_sm}));
  EXPECT_EQ(700'000U, told<unsigned>(call.DeviceGetPowerManagementLimit, card));
  EXPECT_EQ(700'000U, told<unsigned>(call.DeviceGetPowerManagementDefaultLimit, card));
  EXPECT_EQ(700'000U, told<unsigned>(call.DeviceGetEnforcedPowerLimit, card));
  const auto limits = ask_pair<unsigned>(call.DeviceGetPowerManagementLimitConstraints, card).value.value();
  EXPECT_EQ(200'000U, limits.first);
  EXPECT_EQ(700'000U, limits.second);
  EXPECT_EQ(90U, told<unsigned>(call.DeviceGetTemperatureThreshold, card, int{threshold_slowdown}));
  EXPECT_EQ(95U, told<unsigned>(call.DeviceGetTemperatureThreshold, card, int{threshold_shutdown}));
  EXPECT_EQ(0, told<int>(call.DeviceGetVirtualizationMode, card));
  EXPECT_EQ(1, told<int>(call.DeviceGetPersistenceMode, card));
  EXPECT_EQ(0, told<int>(call.DeviceGetComputeMode, card));
  const auto ecc = ask_pair<int>(call.DeviceGetEccMode, card).value.value();
  EXPECT_EQ(11, ecc.first * 10 + ecc.second);
  EXPECT_EQ(1, told<int>(call.DeviceGetNvLinkState, card, 17U));
  EXPECT_EQ(invalid_argument, ask<int>(call.DeviceGetNvLinkState, card, 18U).code);
  EXPECT_EQ(4U, told<unsigned>(call.DeviceGetNvLinkVersion, card, 0U));
  EXPECT_EQ("13.580.82.07", ask_text(call.SystemGetNVMLVersion, version_bytes).value);
  EXPECT_EQ("580.82.07", ask_text(call.SystemGetDriverVersion, version_bytes).value);
  EXPECT_EQ(13000, told<int>(call.SystemGetCudaDriverVersion_v2));
}

TEST(NvmlCards, ErrorsOfMemoryAreCounted) {
  const Running nvml(machine_of("h200", {{"ecc", {{"corrected", 3}, {"uncorrected_ever", 2}}},
                                         {"remapped_rows", {{"uncorrected", 1}, {"pending", true}}}}));
  const auto count = [&](EccType type, EccCounter since) {
    return told<unsigned long long>(nvml.call().DeviceGetTotalEccErrors, nvml.card(), int{type}, int{since});
  };
  EXPECT_EQ(3U, count(ecc_corrected, ecc_volatile));
  EXPECT_EQ(3U, count(ecc_corrected, ecc_aggregate));
  EXPECT_EQ(0U, count(ecc_uncorrected, ecc_volatile));
  EXPECT_EQ(2U, count(ecc_uncorrected, ecc_aggregate));
  std::array<unsigned, 4> rows{};
  EXPECT_EQ(success, nvml.call().DeviceGetRemappedRows.call(nvml.card(), &rows[0], &rows[1], &rows[2], &rows[3]));
  EXPECT_EQ((std::array<unsigned, 4>{0, 1, 1, 0}), rows);
}

TEST(NvmlCards, AreInTheOrderOfTheirAddressesAndAllVisible) {
  json machine = machine_of("h100x8");
  std::swap(machine["devices"][0]["pci"], machine["devices"][7]["pci"]);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  const Running nvml(machine);
  unsetenv("CUDA_VISIBLE_DEVICES");
  ASSERT_EQ(8U, told<unsigned>(nvml.call().DeviceGetCount_v2));
  EXPECT_EQ(machine["devices"][7]["uuid"], ask_text(nvml.call().DeviceGetUUID, nvml.card(0), uuid_bytes).value);
  EXPECT_EQ(machine["devices"][1]["uuid"], ask_text(nvml.call().DeviceGetUUID, nvml.card(1), uuid_bytes).value);
  EXPECT_EQ(machine["devices"][0]["uuid"], ask_text(nvml.call().DeviceGetUUID, nvml.card(7), uuid_bytes).value);
}

TEST(NvmlCards, AreJoinedByWhatTheirPlacesHaveInCommon) {
  json machine = machine_of("h100x8");
  const std::vector<std::vector<int>> places{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 2},
                                             {0, 1, 2, 3}, {1, 2, 3, 4}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  for (std::size_t i = 0; i < places.size(); ++i) machine["devices"][i]["nvml"]["place"] = places[i];
  machine["devices"][7]["nvml"]["board_id"] = 0x1b00;  // that of the first by its address
  const Running nvml(machine);
  std::vector<int> paths;
  for (unsigned i = 1; i < 8; ++i)
    paths.push_back(told<int>(nvml.call().DeviceGetTopologyCommonAncestor, nvml.card(0), nvml.card(i)));
  EXPECT_EQ(
      (std::vector<int>{one_switch, several_switches, host_bridge, numa_node, across_nodes, one_switch, same_board}),
      paths);
  EXPECT_EQ(1U, told<unsigned>(nvml.call().DeviceGetNumaNodeId, nvml.card(5)));
}

TEST(NvmlRefuses, WhatIsAskedTooEarlyOrTooLate) {
  const Running nvml(machine_of("h200"));
  const Functions call = nvml.call();
  EXPECT_EQ(success, call.Init_v2.call());
  EXPECT_EQ(success, call.Shutdown.call());
  EXPECT_EQ(success, ask<unsigned>(call.DeviceGetCount_v2).code) << "it was started twice";
  EXPECT_EQ(success, call.Shutdown.call());
  EXPECT_EQ(uninitialized, ask<unsigned>(call.DeviceGetCount_v2).code);
  EXPECT_EQ(uninitialized, call.Shutdown.call());
  EXPECT_EQ(success, call.Init_v2.call());
}

TEST(NvmlRefuses, WhatMakesNoSense) {
  const Running nvml(machine_of("h200"));
  const Functions& call = nvml.call();
  Device device = nullptr;
  EXPECT_EQ(invalid_argument, call.DeviceGetHandleByIndex_v2.call(1, &device));
  EXPECT_EQ(invalid_argument, call.DeviceGetHandleByIndex_v2.call(0, nullptr));
  EXPECT_EQ(invalid_argument, ask<unsigned>(call.DeviceGetPowerUsage, device).code) << "no handle";
  EXPECT_EQ(invalid_argument, call.DeviceGetPowerUsage.call(nvml.card(), nullptr));
  EXPECT_EQ(invalid_argument, ask<unsigned>(call.DeviceGetClockInfo, nvml.card(), 4).code);
  EXPECT_EQ(invalid_argument, ask<unsigned>(call.DeviceGetTemperature, nvml.card(), 1).code);
  std::string text(12, 'x');
  EXPECT_EQ(insufficient_size, call.DeviceGetName.call(nvml.card(), text.data(), 11)) << "the zero does not fit";
  EXPECT_EQ(success, call.DeviceGetName.call(nvml.card(), text.data(), 12));
  EXPECT_STREQ("NVIDIA H200", text.data());
}

TEST(NvmlRefuses, QuestionsOfAnotherVersion) {
  const Running nvml(machine_of("h200"));
  MemoryV2 memory{};
  memory.version = memory_v2_version;
  EXPECT_EQ(success, nvml.call().DeviceGetMemoryInfo_v2.call(nvml.card(), &memory));
  memory.version = sizeof memory | 3U << 24U;
  EXPECT_EQ(argument_version_mismatch, nvml.call().DeviceGetMemoryInfo_v2.call(nvml.card(), &memory));
  TemperatureV1 temperature{};
  temperature.version = temperature_v1_version;
  EXPECT_EQ(success, nvml.call().DeviceGetTemperatureV.call(nvml.card(), &temperature));
  EXPECT_EQ(31, temperature.celsius);
  temperature.version = 0;
  EXPECT_EQ(argument_version_mismatch, nvml.call().DeviceGetTemperatureV.call(nvml.card(), &temperature));
}

TEST(NvmlRefuses, WhatAGeForceHasNot) {
  const Running geforce(machine_of("rtx4090"));
  const auto codes = [](const Running& nvml) {
    const Functions& call = nvml.call();
    const Device card = nvml.card();
    unsigned n = 0;
    return std::vector<Return>{ask_pair<int>(call.DeviceGetEccMode, card).code,
                               ask<unsigned long long>(call.DeviceGetTotalEccErrors, card, 0, 0).code,
                               call.DeviceGetRemappedRows.call(card, &n, &n, &n, &n),
                               ask_pair<unsigned>(call.DeviceGetMigMode, card).code,
                               ask<int>(call.DeviceGetNvLinkState, card, 0U).code,
                               ask_text(call.DeviceGetBoardPartNumber, card, part_number_bytes).code,
                               nvml.field(field_memory_celsius).code,
                               nvml.field(field_nvlink_count).code};
  };
  EXPECT_THAT(codes(geforce), testing::Each(Return{not_supported}));
}

TEST(NvmlRefuses, NothingOfThatOnAnH200) {
  const Running nvml(machine_of("h200"));
  EXPECT_EQ(success, ask_pair<unsigned>(nvml.call().DeviceGetMigMode, nvml.card()).code);
  EXPECT_EQ(success, ask_text(nvml.call().DeviceGetBoardPartNumber, nvml.card(), part_number_bytes).code);
  EXPECT_EQ(success, nvml.field(field_memory_celsius).code);
  EXPECT_EQ(18U, nvml.field(field_nvlink_count).value.ui);
}

TEST(NvmlRefuses, EccErrorsWhereItIsOff) {
  json machine = machine_of("h200", {{"ecc", {{"on", false}, {"after_restart", true}}}});
  machine["devices"][0]["ecc"] = false;
  const Running nvml(machine);
  const auto mode = ask_pair<int>(nvml.call().DeviceGetEccMode, nvml.card()).value.value();
  EXPECT_EQ(0, mode.first);
  EXPECT_EQ(1, mode.second);
  EXPECT_EQ(not_supported, ask<unsigned long long>(nvml.call().DeviceGetTotalEccErrors, nvml.card(), 0, 0).code);
}

TEST(NvmlRefuses, ARoomThatIsTooSmallForAllProcesses) {
  const json processes = json::array({{{"pid", 77}, {"used_bytes", 1000}}, {{"pid", 78}}});
  const Running nvml(machine_of("h200", {{"processes", processes}}));
  unsigned count = 0;
  EXPECT_EQ(insufficient_size, nvml.call().DeviceGetComputeRunningProcesses_v3.call(nvml.card(), &count, nullptr));
  ASSERT_EQ(2U, count);
  std::array<ProcessInfo, 2> all{};
  EXPECT_EQ(success, nvml.call().DeviceGetComputeRunningProcesses_v3.call(nvml.card(), &count, all.data()));
  EXPECT_EQ(77U, all[0].pid);
  EXPECT_EQ(1000U, all[0].used_bytes);
  EXPECT_EQ(~0ULL, all[1].used_bytes);
}

TEST(NvmlFields, HaveACodeEach) {
  const Running nvml(machine_of("l4"));
  std::array<FieldValue, 3> fields{};
  fields[0].field = field_energy_mj;
  fields[1].field = field_memory_celsius;  // no sensor there
  fields[2].field = field_time_power_cap;
  EXPECT_EQ(success, nvml.call().DeviceGetFieldValues.call(nvml.card(), 3, fields.data()));
  EXPECT_EQ(success, fields[0].code);
  EXPECT_GE(number_of(fields[0]), 1e11);
  EXPECT_EQ(not_supported, fields[1].code);
  EXPECT_EQ(200.7e9, number_of(fields[2])) << "what was before, on a healthy card";
  EXPECT_EQ(not_supported, nvml.field(9999).code);
  EXPECT_EQ(not_supported, nvml.field(field_power_instant_mw, 1).code) << "it is in no module with a CPU";
  EXPECT_EQ(12'900U, nvml.field(field_power_instant_mw).value.ui);
  EXPECT_EQ(invalid_argument, nvml.call().DeviceGetFieldValues.call(nvml.card(), 0, fields.data()));
}

TEST(NvmlMig, ADividedCardSaysLess) {
  const Running nvml(machine_of("h100_mig"));
  const Functions& call = nvml.call();
  const Device card = nvml.card();
  EXPECT_EQ(1U, ask_pair<unsigned>(call.DeviceGetMigMode, card).value.value().first);
  unsigned count = 0;
  EXPECT_EQ(not_supported, call.DeviceGetComputeRunningProcesses_v3.call(card, &count, nullptr));
  EXPECT_EQ(not_supported, ask<Utilization>(call.DeviceGetUtilizationRates, card).code);
  EXPECT_EQ(not_supported, ask<unsigned>(call.DeviceGetNumGpuCores, card).code);
  EXPECT_EQ(not_supported, ask<unsigned>(call.DeviceGetMemoryBusWidth, card).code);
  EXPECT_EQ(not_supported, ask<int>(call.DeviceGetNvLinkState, card, 0U).code);
  EXPECT_EQ(not_supported, ask<unsigned>(call.DeviceGetGpuInstanceId, card).code) << "the card itself is no instance";
  EXPECT_EQ(success, ask<unsigned>(call.DeviceGetPowerUsage, card).code);
}

TEST(NvmlMig, InstancesHaveHandlesAndThereAreGaps) {
  const Running nvml(machine_of("h100_mig"));
  const Functions& call = nvml.call();
  EXPECT_EQ(7U, told<unsigned>(call.DeviceGetMaxMigDeviceCount, nvml.card()));
  EXPECT_EQ(not_found, ask<Device>(call.DeviceGetMigDeviceHandleByIndex, nvml.card(), 1U).code);
  EXPECT_EQ(invalid_argument, ask<Device>(call.DeviceGetMigDeviceHandleByIndex, nvml.card(), 7U).code);
  const auto instance = told<Device>(call.DeviceGetMigDeviceHandleByIndex, nvml.card(), 2U);
  EXPECT_EQ("MIG-5eef03a0-5157-5d61-926b-000000000002", ask_text(call.DeviceGetUUID, instance, uuid_bytes).value);
  EXPECT_EQ(7U, told<unsigned>(call.DeviceGetGpuInstanceId, instance));
  EXPECT_EQ(0U, told<unsigned>(call.DeviceGetComputeInstanceId, instance));
  EXPECT_EQ(16U, told<DeviceAttributes>(call.DeviceGetAttributes_v2, instance).multiprocessors);
  EXPECT_EQ(10'000'000U, told<Memory>(call.DeviceGetMemoryInfo, instance).total);
  EXPECT_EQ(not_supported, ask<unsigned>(call.DeviceGetPowerUsage, instance).code);
}

TEST(NvmlVirtual, APassedThroughCardIsWholeButForItsLanes) {
  const Running nvml(machine_of("a10g_passthrough"));
  EXPECT_EQ(virtual_passthrough, told<int>(nvml.call().DeviceGetVirtualizationMode, nvml.card()));
  EXPECT_EQ(8U, told<unsigned>(nvml.call().DeviceGetCurrPcieLinkWidth, nvml.card()));
  EXPECT_EQ(16U, told<unsigned>(nvml.call().DeviceGetMaxPcieLinkWidth, nvml.card()));
  EXPECT_EQ(10240U, told<unsigned>(nvml.call().DeviceGetNumGpuCores, nvml.card()));
}

TEST(NvmlVirtual, AGuestsShareSaysLittle) {
  const Running nvml(machine_of("vgpu"));
  EXPECT_EQ(virtual_vgpu, told<int>(nvml.call().DeviceGetVirtualizationMode, nvml.card()));
  EXPECT_EQ(not_supported, ask<unsigned>(nvml.call().DeviceGetPowerUsage, nvml.card()).code);
  EXPECT_EQ(not_supported, ask<unsigned>(nvml.call().DeviceGetCurrPcieLinkGeneration, nvml.card()).code);
  EXPECT_EQ(not_supported, nvml.field(field_energy_mj).code);
  EXPECT_EQ(success, ask<Utilization>(nvml.call().DeviceGetUtilizationRates, nvml.card()).code);
}

TEST(NvmlDrivers, OldOnesLackFunctions) {
  const auto opened = [](const char* release) {
    json machine = machine_of("h200");
    machine["driver_release"] = release;
    return Running(machine).opened.functions;
  };
  const Functions of_2020 = opened("450.51.06");
  EXPECT_EQ(nullptr, of_2020.DeviceGetMemoryInfo_v2.call);
  EXPECT_NE(nullptr, of_2020.DeviceGetMemoryInfo.call);
  const Functions of_530 = opened("530.30.02");
  EXPECT_NE(nullptr, of_530.DeviceGetMemoryInfo_v2.call);
  EXPECT_EQ(nullptr, of_530.DeviceGetCurrentClocksEventReasons.call);
  EXPECT_NE(nullptr, of_530.DeviceGetCurrentClocksThrottleReasons.call);
  EXPECT_NE(nullptr, opened("535.54.03").DeviceGetCurrentClocksEventReasons.call);
  EXPECT_EQ(nullptr, opened("550.54.14").DeviceGetTemperatureV.call);
  EXPECT_NE(nullptr, opened("570.86.10").DeviceGetTemperatureV.call);
}

TEST(NvmlDrivers, NewOnesAnswerNoMoreForApplicationClocks) {
  json machine = machine_of("h200");
  machine["driver_version"] = 13010;
  const Running nvml(machine);
  EXPECT_EQ("590.44.01", ask_text(nvml.call().SystemGetDriverVersion, version_bytes).value);
  EXPECT_EQ(deprecated_function, ask<unsigned>(nvml.call().DeviceGetApplicationsClock, nvml.card(), 1).code);
}

}  // namespace
}  // namespace warpmark::nvml
