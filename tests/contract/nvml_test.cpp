// SPDX-License-Identifier: Apache-2.0
// What the program takes for granted of NVML: how GPUs are found and matched to CUDA's, versions, codes, units.
#include <gmock/gmock.h>

#include <cctype>

#include "harness/telemetry/nvml/library.h"
#include "tests/contract/contract.h"

namespace warpmark::nvml {
namespace {

const Opened& library() {
  static const Opened opened = open_library();
  return opened;
}

/// Skips where there is no NVML that starts.
class NvmlContract : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& problem = library().problem; !problem.empty()) {
      // Where the simulated library is meant, nothing may be missing.
      if (std::getenv("SIMULATED_MACHINE") != nullptr) FAIL() << problem;
      GTEST_SKIP() << problem;
    }
    ASSERT_EQ(success, call_.DeviceGetCount_v2.call(&count_));
    ASSERT_GT(count_, 0U);
    ASSERT_EQ(success, call_.DeviceGetHandleByIndex_v2.call(0, &card_));
  }

  const Functions& call_ = library().functions;
  unsigned count_ = 0;
  Device card_ = nullptr;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST_F(NvmlContract, AGpuIsFoundByItsIndexAndNoFurther) {
  Device device = nullptr;
  EXPECT_CODE(success, call_.DeviceGetHandleByIndex_v2.call(count_ - 1, &device));
  EXPECT_NE(device, nullptr);
  EXPECT_CODE(invalid_argument, call_.DeviceGetHandleByIndex_v2.call(count_, &device));
  EXPECT_CODE(invalid_argument, call_.DeviceGetHandleByIndex_v2.call(0, nullptr));
}

TEST_F(NvmlContract, AHandleThatIsNoneAndAnAnswerThatIsNotWantedAreRefused) {
  unsigned mhz = 0;
  EXPECT_CODE(invalid_argument, call_.DeviceGetMaxClockInfo.call(nullptr, clock_sm, &mhz));
  EXPECT_CODE(invalid_argument, call_.DeviceGetMaxClockInfo.call(card_, clock_sm, nullptr));
}

TEST_F(NvmlContract, PciAddressesAndUuidsHaveTheirForms) {
  const auto pci = ask<PciInfo>(call_.DeviceGetPciInfo_v3, card_).value.value();
  EXPECT_THAT(pci.bus_id, testing::MatchesRegex("[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\\.0"));
  EXPECT_EQ(pci.bus, std::stoul(std::string(pci.bus_id).substr(9, 2), nullptr, 16));
  EXPECT_EQ(0x10deU, pci.device_id & 0xffffU) << "the vendor is in the lower half";
  EXPECT_THAT(ask_text(call_.DeviceGetUUID, card_, uuid_bytes).value.value(),
              testing::MatchesRegex("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
}

TEST_F(NvmlContract, CudasFirstGpuIsOneOfThemByItsAddress) {
  if (!cuda::open_driver().problem.empty()) GTEST_SKIP() << cuda::open_driver().problem;
  std::string address(32, '\0');
  ASSERT_EQ(CUDA_SUCCESS, cuda::d().DeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), 0));
  address.resize(std::strlen(address.c_str()));
  std::vector<std::string> seen;
  for (unsigned i = 0; i < count_; ++i) {
    const auto device = ask<Device>(call_.DeviceGetHandleByIndex_v2, i).value.value();
    const auto pci = ask<PciInfo>(call_.DeviceGetPciInfo_v3, device).value.value();
    seen.push_back(lower(std::string(pci.bus_id).substr(4)));
  }
  EXPECT_THAT(seen, testing::Contains(lower(address)));
}

TEST_F(NvmlContract, ATextThatDoesNotFitIsRefused) {
  const auto name = ask_text(call_.DeviceGetName, card_, name_bytes).value.value();
  std::string room(name.size() + 1, 'x');
  EXPECT_CODE(success, call_.DeviceGetName.call(card_, room.data(), static_cast<unsigned>(room.size())));
  EXPECT_CODE(insufficient_size, call_.DeviceGetName.call(card_, room.data(), static_cast<unsigned>(name.size())));
}

TEST_F(NvmlContract, QuestionsHaveVersions) {
  if (call_.DeviceGetMemoryInfo_v2.call == nullptr) GTEST_SKIP() << "an old driver";
  MemoryV2 memory{};
  memory.version = memory_v2_version;
  EXPECT_CODE(success, call_.DeviceGetMemoryInfo_v2.call(card_, &memory));
  EXPECT_EQ(memory.total, memory.used + memory.free) << "what is reserved is in use";
  EXPECT_LT(memory.reserved, memory.total);
  memory.version = 0;
  EXPECT_CODE(argument_version_mismatch, call_.DeviceGetMemoryInfo_v2.call(card_, &memory));
}

TEST_F(NvmlContract, UnitsAreMegahertzMilliwattsAndPercent) {
  const auto most = ask<unsigned>(call_.DeviceGetMaxClockInfo, card_, int{clock_sm}).value.value();
  EXPECT_TRUE(500 < most && most < 5000) << most << " MHz";
  const auto now = ask<unsigned>(call_.DeviceGetClockInfo, card_, int{clock_sm}).value.value();
  EXPECT_LE(now, most);
  const auto limit = ask<unsigned>(call_.DeviceGetPowerManagementLimit, card_).value.value_or(10'000);
  EXPECT_TRUE(10'000 <= limit && limit < 3'000'000) << limit << " mW";
  EXPECT_LE(ask<Utilization>(call_.DeviceGetUtilizationRates, card_).value.value_or(Utilization{}).gpu, 100U);
}

TEST_F(NvmlContract, EveryFieldHasItsOwnCode) {
  std::array<FieldValue, 3> fields{};
  fields[0].field = field_energy_mj;
  fields[1].field = 60'000;  // none
  fields[2].field = field_time_power_cap;
  EXPECT_CODE(success, call_.DeviceGetFieldValues.call(card_, static_cast<int>(fields.size()), fields.data()));
  EXPECT_NE(success, fields[1].code);
  for (const FieldValue& field : {fields[0], fields[2]}) {
    EXPECT_TRUE(field.code == success || field.code == not_supported) << field.field << ": " << field.code;
    EXPECT_TRUE(field.code != success || number_of(field)) << field.field << ": type " << field.type;
  }
}

TEST_F(NvmlContract, ProcessesAreCountedWhereTheyDoNotFit) {
  if (call_.DeviceGetComputeRunningProcesses_v3.call == nullptr) GTEST_SKIP() << "an old driver";
  unsigned count = 0;
  const Return code = call_.DeviceGetComputeRunningProcesses_v3.call(card_, &count, nullptr);
  EXPECT_EQ(count == 0 ? success : insufficient_size, code);
}

TEST_F(NvmlContract, WaitingForWhatDoesNotHappenEnds) {
  const auto set = ask<EventSet>(call_.EventSetCreate).value.value();
  if (call_.DeviceRegisterEvents.call(card_, event_xid, set) == success) {
    EventData event{};
    EXPECT_CODE(timed_out, call_.EventSetWait_v2.call(set, &event, 1));
  }
  EXPECT_CODE(success, call_.EventSetFree.call(set));
}

TEST_F(NvmlContract, StartsAreCounted) {
  EXPECT_CODE(success, call_.Init_v2.call());
  EXPECT_CODE(success, call_.Shutdown.call());
  EXPECT_CODE(success, call_.DeviceGetCount_v2.call(&count_));
}

}  // namespace
}  // namespace warpmark::nvml
