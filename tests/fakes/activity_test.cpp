// SPDX-License-Identifier: Apache-2.0
// What a device tells other processes of its work, in the memory that they share.
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "tests/fakes/machine/activity_log.h"
#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;

constexpr std::int64_t microsecond = 1000;

TEST(Activity, IsTheTimeInWhichAnOperationRan) {
  DeviceActivity seen{};
  const std::vector<HeldDown> never;
  ActivityLog log(&seen, never);
  log.begin(5e-6);
  EXPECT_EQ(5 * microsecond, seen.busy_until_ns) << "busy while it runs";
  EXPECT_EQ(0, seen.busy_ns);
  log.end(5e-6, 8e-6);
  EXPECT_EQ(8 * microsecond, seen.busy_until_ns);
  EXPECT_EQ(3 * microsecond, seen.busy_ns);
  log.begin(20e-6);
  log.end(20e-6, 21e-6);
  EXPECT_EQ(4 * microsecond, seen.busy_ns) << "not what lies between";
  log.begin(6e-6);
  log.end(6e-6, 22e-6);
  EXPECT_EQ(22 * microsecond, seen.busy_until_ns);
  EXPECT_EQ(5 * microsecond, seen.busy_ns) << "what overlaps counts once";
}

TEST(Activity, WithTheClockHeldDownIsCountedByReason) {
  DeviceActivity seen{};
  const std::vector<HeldDown> held{{.reason = "hw_thermal", .from_seconds = 2e-6, .until_seconds = 4e-6},
                                   {.reason = "sw_power_cap", .from_seconds = 3e-6},
                                   {.reason = "sync_boost"}};
  ActivityLog log(&seen, held);
  log.begin(1e-6);
  log.end(1e-6, 9e-6);
  EXPECT_EQ(6 * microsecond, seen.held_ns[0]);
  EXPECT_EQ(0, seen.held_ns[1]);
  EXPECT_EQ(2 * microsecond, seen.held_ns[2]);
}

TEST(Activity, IsToldByTheDeviceItself) {
  const DeviceTruth truth = parse_scenario(machine("h200").dump(), "test").devices[0];
  FaultPlan faults({}, {});
  DeviceActivity seen{};
  SimulatedDevice device(truth, 0, faults, Jitter(0, 1), &seen);
  device.retain();
  EXPECT_EQ(getpid(), seen.process);
  void* const data = device.allocate(1000);
  EXPECT_EQ(1000, seen.memory_bytes);
  CUstream stream = device.create_stream();
  std::vector<char> host(700);
  (void)device.submit(stream, {.submitted_seconds = 1, .what = Copy{.to = host.data(), .from = data, .bytes = 300}});
  (void)device.submit(
      stream, {.submitted_seconds = 1, .what = Copy{.to = data, .from = host.data(), .bytes = 700, .to_device = true}});
  EXPECT_EQ(0, seen.busy_until_ns) << "it waits until somebody is entitled to see it";
  const double done = device.finish(stream, 1);
  EXPECT_EQ(300, seen.sent_bytes);
  EXPECT_EQ(700, seen.received_bytes);
  EXPECT_EQ(std::llround(done * 1e9), seen.busy_until_ns);
  EXPECT_NEAR(static_cast<double>(seen.busy_ns), (done - 1) * 1e9, 2);
  device.free(data, done);
  EXPECT_EQ(0, seen.memory_bytes);
  device.destroy_stream(stream, done);
  device.release();
  EXPECT_EQ(0, seen.process);
}

}  // namespace
}  // namespace warpmark::fakes
