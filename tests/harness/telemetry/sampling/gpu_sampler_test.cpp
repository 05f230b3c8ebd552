// SPDX-License-Identifier: Apache-2.0
// One GPU by a table of functions that this test fills: what it says, what it refuses, what it does not have.
#include "harness/telemetry/sampling/gpu_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/telemetry/sampling/gpu_events.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

int calls = 0;  // of the function that a test counts

Return fields_that_tell(Device /*device*/, int count, FieldValue* fields) {
  for (int i = 0; i < count; ++i) {
    fields[i].code = success;
    fields[i].type = type_unsigned;
    fields[i].value.ui = 40;
    if (fields[i].field == field_power_instant_mw) fields[i].value.ui = 688500;
    if (fields[i].field == field_time_power_cap) {
      fields[i].type = type_unsigned_long_long;
      fields[i].value.ull = 200'700'000'000ULL;
    }
    if (fields[i].field == field_pcie_sent_bytes) fields[i].code = not_supported;
  }
  return Return{success};
}

/// A GPU that tells everything.
Functions telling() {
  Functions all;
  all.DeviceGetClockInfo.call = [](Device, int type, unsigned* mhz) {
    *mhz = type == clock_sm ? 1980 : 2619;
    return Return{success};
  };
  all.DeviceGetTemperatureV.call = [](Device, TemperatureV1* temperature) {
    if (temperature->version != temperature_v1_version) return Return{argument_version_mismatch};
    temperature->celsius = 61;
    return Return{success};
  };
  all.DeviceGetUtilizationRates.call = [](Device, Utilization* rates) {
    *rates = {.gpu = 75, .memory = 30};
    return Return{success};
  };
  all.DeviceGetMemoryInfo.call = [](Device, Memory* memory) {
    *memory = {.total = 80, .free = 50, .used = 30};
    return Return{success};
  };
  all.DeviceGetCurrPcieLinkGeneration.call = [](Device, unsigned* generation) {
    return *generation = 5, Return{success};
  };
  all.DeviceGetCurrPcieLinkWidth.call = [](Device, unsigned* width) { return *width = 16, Return{success}; };
  all.DeviceGetCurrentClocksEventReasons.call = [](Device, unsigned long long* bits) {
    return *bits = reason_sw_power_cap, Return{success};
  };
  all.DeviceGetFieldValues.call = fields_that_tell;
  return all;
}

TEST(GpuSampler, ReadsEverythingInBaseUnits) {
  const Functions library = telling();
  GpuSampler sampler(library, nullptr);
  const Reading reading = sampler.read();
  EXPECT_EQ(reading[Quantity::clock_hz], 1.98e9);
  EXPECT_EQ(reading[Quantity::memory_clock_hz], 2.619e9);
  EXPECT_DOUBLE_EQ(reading[Quantity::power_w], 688.5);
  EXPECT_EQ(reading[Quantity::temperature_c], 61);
  EXPECT_EQ(reading[Quantity::memory_temperature_c], 40);
  EXPECT_EQ(reading[Quantity::utilization], 0.75);
  EXPECT_EQ(reading[Quantity::memory_used_bytes], 30);
  EXPECT_EQ(reading[Quantity::link_generation], 5);
  EXPECT_EQ(reading[Quantity::link_width], 16);
  EXPECT_DOUBLE_EQ(reading[Counter::power_cap_seconds], 200.7);
  EXPECT_TRUE(std::isnan(reading[Counter::pcie_sent_bytes])) << "a field's own code counts";
  EXPECT_EQ(reading.reasons, std::uint64_t{reason_sw_power_cap});
  ASSERT_EQ(sampler.denied().size(), 1U);
  EXPECT_EQ(sampler.denied().front().what, "pcie.sent_bytes");
}

TEST(GpuSampler, WithNoFunctionAtAllKnowsNothingAndSaysSo) {
  const Functions none;
  GpuSampler sampler(none, nullptr);
  const Reading reading = sampler.read();
  for (const double value : reading.values) EXPECT_TRUE(std::isnan(value));
  EXPECT_FALSE(reading.reasons);
  std::vector<std::string> what;
  for (const Denied& each : sampler.denied()) what.push_back(each.what);
  EXPECT_THAT(what, testing::UnorderedElementsAre("memory_temperature_c", "energy_j", "held_down.seconds",
                                                  "pcie.sent_bytes", "pcie.received_bytes", "power_w", "clock_hz",
                                                  "memory_clock_hz", "temperature_c", "utilization",
                                                  "memory_used_bytes", "pcie.generation", "pcie.width", "held_down"));
  EXPECT_THAT(sampler.denied(),
              testing::Contains(testing::Field(
                  &Denied::why, HasSubstr("this driver has no such function (nvmlDeviceGetFieldValues 13)"))));
}

TEST(GpuSampler, FallsBackToOlderFunctions) {
  Functions library = telling();
  library.DeviceGetTemperatureV.call = nullptr;
  library.DeviceGetTemperature.call = [](Device, int, unsigned* celsius) { return *celsius = 55, Return{success}; };
  library.DeviceGetCurrentClocksEventReasons.call = nullptr;
  library.DeviceGetCurrentClocksThrottleReasons.call = [](Device, unsigned long long* bits) {
    return *bits = reason_idle, Return{success};
  };
  library.DeviceGetFieldValues.call = [](Device, int, FieldValue*) { return Return{not_supported}; };
  library.DeviceGetPowerUsage.call = [](Device, unsigned* milliwatts) { return *milliwatts = 300000, Return{success}; };
  GpuSampler sampler(library, nullptr);
  const Reading reading = sampler.read();
  EXPECT_EQ(reading[Quantity::temperature_c], 55);
  EXPECT_EQ(reading[Quantity::power_w], 300);
  EXPECT_EQ(reading.reasons, std::uint64_t{reason_idle});
}

TEST(GpuSampler, AsksOnceForWhatTheGpuDoesNotHaveAndAgainForWhatItLost) {
  Functions library = telling();
  library.DeviceGetUtilizationRates.call = [](Device, Utilization*) { return ++calls, Return{not_supported}; };
  GpuSampler refused(library, nullptr);
  calls = 0;
  for (int i = 0; i < 3; ++i) (void)refused.read();
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(refused.denied().size(), 2U) << "and the field that this GPU does not have";
  EXPECT_EQ(refused.denied().back().what, "utilization");
  library.DeviceGetUtilizationRates.call = [](Device, Utilization*) { return ++calls, Return{gpu_is_lost}; };
  GpuSampler lost(library, nullptr);
  calls = 0;
  for (int i = 0; i < 3; ++i) (void)lost.read();
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(lost.denied().size(), 2U) << "said once";
}

/// What the counters of the GPU that tells events stand at.
struct Standing {
  unsigned long long corrected = 1000, uncorrected = 2;
  unsigned rows = 3, processes = 1;
  std::vector<unsigned long long> xids{};
};
Standing standing;

Functions telling_events() {
  Functions all;
  all.DeviceGetTotalEccErrors.call = [](Device, int type, int, unsigned long long* count) {
    return *count = type == ecc_corrected ? standing.corrected : standing.uncorrected, Return{success};
  };
  all.DeviceGetRemappedRows.call = [](Device, unsigned* corrected, unsigned* uncorrected, unsigned*, unsigned*) {
    *corrected = standing.rows;
    *uncorrected = 1;
    return Return{success};
  };
  all.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo*) {
    *count = standing.processes;
    return Return{standing.processes == 0 ? success : insufficient_size};
  };
  all.EventSetCreate.call = [](EventSet* set) { return *set = reinterpret_cast<EventSet>(&standing), Return{success}; };
  all.EventSetFree.call = [](EventSet) { return Return{success}; };
  all.DeviceRegisterEvents.call = [](Device, unsigned long long, EventSet) { return Return{success}; };
  all.EventSetWait_v2.call = [](EventSet, EventData* event, unsigned) {
    if (standing.xids.empty()) return Return{timed_out};
    *event = {
        .device = nullptr, .type = event_xid, .data = standing.xids.back(), .gpu_instance = 0, .compute_instance = 0};
    standing.xids.pop_back();
    return Return{success};
  };
  return all;
}

TEST(GpuEvents, TellWhatIsNewAndNotWhatHadBeenThere) {
  standing = {};
  const Functions library = telling_events();
  GpuEvents events(library, nullptr, 1);
  EXPECT_EQ(events.since_last(), (json{{"ecc", {{"corrected", 0}, {"uncorrected", 0}}},
                                       {"remapped_rows", 0},
                                       {"xids", json::array()},
                                       {"foreign_processes", 0}}))
      << "counters of years, and our own worker";
  standing = {.corrected = 1004, .uncorrected = 3, .rows = 4, .processes = 3, .xids = {63}};
  EXPECT_EQ(events.since_last(), (json{{"ecc", {{"corrected", 4}, {"uncorrected", 1}}},
                                       {"remapped_rows", 1},
                                       {"xids", {63}},
                                       {"foreign_processes", 2}}));
  EXPECT_TRUE(events.denied().empty());
  standing.processes = 0;
  EXPECT_FALSE(events.since_last().contains("foreign_processes"));
  ASSERT_EQ(events.denied().size(), 1U) << "in a container none is shown, not even ours";
  EXPECT_EQ(events.denied().front().what, "foreign_processes");
}

TEST(GpuEvents, CountEverybodyWhereNobodyIsOurs) {
  standing = {};
  const Functions library = telling_events();
  GpuEvents events(library, nullptr, 0);
  EXPECT_EQ(events.since_last().at("foreign_processes"), 1);
}

TEST(GpuEvents, DoNotTakeARefusalForNoXid) {
  standing = {};
  Functions library = telling_events();
  library.EventSetWait_v2.call = [](EventSet, EventData*, unsigned) { return Return{gpu_is_lost}; };
  GpuEvents events(library, nullptr, 1);
  EXPECT_FALSE(events.since_last().contains("xids"));
  EXPECT_THAT(events.denied().front().why, HasSubstr("fallen off the bus"));
}

TEST(GpuSampler, DeniesNothingThatIsAnsweredAgain) {
  Functions library = telling();
  GpuSampler sampler(library, nullptr);
  const auto tells = library.DeviceGetClockInfo.call;
  library.DeviceGetClockInfo.call = [](Device, int, unsigned*) { return Return{gpu_is_lost}; };
  (void)sampler.read();
  EXPECT_EQ(sampler.denied().size(), 3U) << "two clocks, and the field that it never has";
  library.DeviceGetClockInfo.call = tells;
  (void)sampler.read();
  EXPECT_EQ(sampler.denied().size(), 1U);
}

TEST(GpuEvents, DoNotCountProcessesOfADividedGpu) {
  standing = {};
  Functions library = telling_events();
  library.DeviceGetMigMode.call = [](Device, unsigned* now, unsigned* later) {
    return *now = *later = 1, Return{success};
  };
  GpuEvents events(library, nullptr, 1);
  EXPECT_FALSE(events.since_last().contains("foreign_processes"));
  EXPECT_THAT(events.denied().front().why, HasSubstr("divided by MIG"));
}

TEST(GpuEvents, TellLaterWhatCouldNotBeReadAtOnce) {
  standing = {};
  Functions library = telling_events();
  GpuEvents events(library, nullptr, 1);
  const auto tells = library.DeviceGetTotalEccErrors.call;
  library.DeviceGetTotalEccErrors.call = [](Device, int, int, unsigned long long*) { return Return{unknown_error}; };
  EXPECT_FALSE(events.since_last().contains("ecc"));
  standing.uncorrected += 5;
  library.DeviceGetTotalEccErrors.call = tells;
  EXPECT_EQ(events.since_last().at("ecc").at("uncorrected"), 5);
}

TEST(GpuEvents, OfAGpuThatTellsNothingIsEmpty) {
  const Functions none;
  GpuEvents events(none, nullptr, 1);
  EXPECT_TRUE(events.since_last().empty());
  EXPECT_EQ(events.denied().size(), 4U) << "each with its reason";
}

}  // namespace
}  // namespace warpmark::nvml
