// SPDX-License-Identifier: Apache-2.0
// A card by the machine's time: busy when its driver says so, held down when the scenario does, and counters that never
// fall.
#include <gmock/gmock.h>

#include "tests/fakes/nvml_rig.h"

// What libvclock.so exports; the library looks for these names in the whole program.
std::atomic<std::int64_t>* simulated_clock() {
  auto* const page = warpmark::nvml::current_page;
  return page == nullptr ? nullptr : &page->now_ns;
}

DeviceActivity* simulated_activity(int device) {
  auto* const page = warpmark::nvml::current_page;
  return page == nullptr ? nullptr : &page->devices.at(static_cast<std::size_t>(device));
}

namespace warpmark::nvml {
namespace {

using nlohmann::json;

constexpr std::int64_t second = 1'000'000'000;

class NvmlTime : public testing::Test {
 protected:
  void SetUp() override { current_page = &page_; }
  void TearDown() override { current_page = nullptr; }

  /// As a driver tells it whose device has worked in one go until now.
  void work(double seconds) {
    const auto ns = static_cast<std::int64_t>(seconds * second);
    page_.now_ns += ns;
    device().busy_until_ns = page_.now_ns.load();
    device().busy_ns += ns;
  }
  void rest(double seconds) { page_.now_ns += static_cast<std::int64_t>(seconds * second); }
  DeviceActivity& device() { return page_.devices[0]; }

  Page page_{};
};

struct Seen {
  unsigned mhz = 0, mw = 0, celsius = 0, generation = 0, utilization = 0;
  int state = 0;
  unsigned long long reasons = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen seen(const Running& nvml) {
  const Functions& call = nvml.call();
  const Device card = nvml.card();
  return {.mhz = told<unsigned>(call.DeviceGetClockInfo, card, int{clock_sm}),
          .mw = told<unsigned>(call.DeviceGetPowerUsage, card),
          .celsius = told<unsigned>(call.DeviceGetTemperature, card, 0),
          .generation = told<unsigned>(call.DeviceGetCurrPcieLinkGeneration, card),
          .utilization = told<Utilization>(call.DeviceGetUtilizationRates, card).gpu,
          .state = told<int>(call.DeviceGetPerformanceState, card),
          .reasons = told<unsigned long long>(call.DeviceGetCurrentClocksEventReasons, card)};
}

constexpr Seen idle{
    .mhz = 210, .mw = 18'200, .celsius = 34, .generation = 1, .utilization = 0, .state = 8, .reasons = 1};
constexpr Seen busy{
    .mhz = 2520, .mw = 410'000, .celsius = 66, .generation = 4, .utilization = 100, .state = 0, .reasons = 0};

TEST_F(NvmlTime, ACardIsBusyWhileItWorksAndALittleLonger) {
  const Running nvml(machine_of("rtx4090"));
  EXPECT_EQ(idle, seen(nvml));
  work(1);
  EXPECT_EQ(busy, seen(nvml));
  rest(0.049);
  EXPECT_EQ(busy, seen(nvml));
  rest(0.001);
  EXPECT_EQ(idle, seen(nvml));
}

TEST_F(NvmlTime, WithoutAPageACardIsIdleUnlessTheScenarioSaysOtherwise) {
  current_page = nullptr;
  EXPECT_EQ(idle, seen(Running(machine_of("rtx4090"))));
  EXPECT_EQ(busy, seen(Running(machine_of("rtx4090", {{"always_busy", true}}))));
}

TEST_F(NvmlTime, FirstReadingsMayBeOfATimeBefore) {
  const Running nvml(machine_of("rtx4090", {{"stale_readings", 2}}));
  Seen first = idle;
  first.mw = busy.mw;
  first.utilization = busy.utilization;
  EXPECT_EQ(first, seen(nvml));
  EXPECT_EQ(idle, seen(nvml));
}

TEST_F(NvmlTime, AHeldDownClockSaysWhyAndCountsTheTime) {
  const Running nvml(machine_of("h200_throttled"));
  const auto before = nvml.field(field_time_thermal).value.ull;
  work(0.01);
  EXPECT_EQ(1980U, seen(nvml).mhz);
  EXPECT_EQ(0U, seen(nvml).reasons);
  EXPECT_EQ(before, nvml.field(field_time_thermal).value.ull);
  work(0.03);
  device().held_ns[2] = second / 50;
  EXPECT_EQ(1188U, seen(nvml).mhz);
  EXPECT_EQ(Reason::reason_hw_thermal | Reason::reason_hw_slowdown, seen(nvml).reasons);
  EXPECT_EQ(before + second / 50, nvml.field(field_time_thermal).value.ull);
  rest(1);
  EXPECT_EQ(Reason::reason_idle, seen(nvml).reasons);
  EXPECT_EQ(before + second / 50, nvml.field(field_time_thermal).value.ull);
}

TEST_F(NvmlTime, WhatIsStillToComeIsNotCountedYet) {
  const Running nvml(machine_of("rtx4090"));
  const auto before = nvml.field(field_energy_mj).value.ull;
  device().busy_until_ns = 2 * second;
  device().busy_ns = 2 * second;
  page_.now_ns = second;
  EXPECT_NEAR(410e3, static_cast<double>(nvml.field(field_energy_mj).value.ull - before), 1);
  page_.now_ns = 3 * second;
  EXPECT_NEAR(2 * 410e3 + 18.2e3, static_cast<double>(nvml.field(field_energy_mj).value.ull - before), 1);
}

TEST_F(NvmlTime, CountersNeverFall) {
  const Running nvml(machine_of("rtx4090"));
  work(1);
  const auto before = nvml.field(field_energy_mj).value.ull;
  device().busy_until_ns += second;  // the driver has not yet told the rest
  EXPECT_EQ(before, nvml.field(field_energy_mj).value.ull);
}

TEST_F(NvmlTime, BytesOverTheLinkAreCountedByDirection) {
  const Running nvml(machine_of("h200"));
  const auto sent = nvml.field(field_pcie_sent_bytes).value.ull;
  const auto received = nvml.field(field_pcie_received_bytes).value.ull;
  EXPECT_GT(sent, 0U);
  device().sent_bytes = 5;
  device().received_bytes = 7;
  EXPECT_EQ(sent + 5, nvml.field(field_pcie_sent_bytes).value.ull);
  EXPECT_EQ(received + 7, nvml.field(field_pcie_received_bytes).value.ull);
}

TEST_F(NvmlTime, TheWorkerIsAProcessOnTheCardWhileItLives) {
  const Running nvml(machine_of("h200"));
  const auto used = told<Memory>(nvml.call().DeviceGetMemoryInfo, nvml.card()).used;
  device().memory_bytes = 4096;
  device().process = getpid();
  std::array<ProcessInfo, 4> all{};
  auto count = static_cast<unsigned>(all.size());
  EXPECT_EQ(success, nvml.call().DeviceGetComputeRunningProcesses_v3.call(nvml.card(), &count, all.data()));
  ASSERT_EQ(1U, count);
  EXPECT_EQ(static_cast<unsigned>(getpid()), all[0].pid);
  EXPECT_EQ(4096U, all[0].used_bytes);
  EXPECT_EQ(used + 4096, told<Memory>(nvml.call().DeviceGetMemoryInfo, nvml.card()).used);
  device().process = 1 << 23;  // more than Linux gives
  EXPECT_EQ(success, nvml.call().DeviceGetComputeRunningProcesses_v3.call(nvml.card(), &count, all.data()));
  EXPECT_EQ(0U, count);
  EXPECT_EQ(used, told<Memory>(nvml.call().DeviceGetMemoryInfo, nvml.card()).used);
}

TEST_F(NvmlTime, XidsComeAtTheirMoments) {
  const json xids = json::array({{{"at_seconds", 1}, {"number", 31}}, {{"at_seconds", 3}, {"number", 79}}});
  page_.now_ns = 2 * second;
  const Running nvml(machine_of("h200", {{"xids", xids}}));
  const Functions& call = nvml.call();
  const auto set = told<EventSet>(call.EventSetCreate);
  EXPECT_EQ(success, call.DeviceRegisterEvents.call(nvml.card(), event_xid, set));
  EXPECT_EQ(not_supported, call.DeviceRegisterEvents.call(nvml.card(), 1U << 20U, set));
  EventData event{};
  EXPECT_EQ(timed_out, call.EventSetWait_v2.call(set, &event, 0)) << "the first was before anybody asked";
  page_.now_ns = 3 * second;
  EXPECT_EQ(success, call.EventSetWait_v2.call(set, &event, 0));
  EXPECT_EQ(79U, event.data);
  EXPECT_EQ(event_xid, event.type);
  EXPECT_EQ(nvml.card(), event.device);
  EXPECT_EQ(timed_out, call.EventSetWait_v2.call(set, &event, 2)) << "each is told once";
  EXPECT_EQ(success, call.EventSetFree.call(set));
  EXPECT_EQ(invalid_argument, call.EventSetFree.call(set));
}

}  // namespace
}  // namespace warpmark::nvml
