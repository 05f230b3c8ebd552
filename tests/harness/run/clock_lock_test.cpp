// SPDX-License-Identifier: Apache-2.0
// The regime `locked`: which records count, and what the others are told.
#include "harness/run/clock_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

DeviceInfo gpu() { return {.id = "cuda:0", .backend = "cuda"}; }
DeviceInfo cpu() { return {.id = "cpu:0", .backend = "cpu", .facts = {{"cpus", {0}}}}; }

/// One at 1.2 GHz, with readings of which `share` say that somebody set the clock.
Record read_at(double share, double spread = 0) {
  Record record;
  record.metrics.push_back({.name = "bandwidth", .unit = "B/s", .value = 1});
  record.telemetry = {{"clock_hz", {{"median", 1.2e9}, {"p5", 1.2e9 * (1 - spread)}, {"p95", 1.2e9}}},
                      {"sampled", {{"held_down", json::array()}}}};
  if (share > 0)
    record.telemetry["sampled"]["held_down"].push_back({{"reason", "application_clocks"}, {"share", share}});
  return record;
}

TEST(ClockLock, ARecordAtAFixedClockSaysWhich) {
  const Tree tree;
  ClockLock lock(gpu(), tree.root());
  Record record = read_at(0.9);
  lock.judge(record);
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_EQ(record.about["locked_clock_hz"], 1.2e9);
  EXPECT_EQ(lock.why_not(), "");
}

TEST(ClockLock, OneAtAFreeClockIsDeniedAndSoIsAllThatFollows) {
  const Tree tree;
  ClockLock lock(gpu(), tree.root());
  Record record = read_at(0);
  lock.judge(record);
  EXPECT_EQ(record.status, Status::denied);
  EXPECT_THAT(record.metrics, IsEmpty());
  EXPECT_THAT(record.why, HasSubstr("sudo nvidia-smi --lock-gpu-clocks="));
  EXPECT_EQ(lock.why_not(), record.why);
}

TEST(ClockLock, AClockThatDidNotHoldIsDeniedAndTheNextMayHold) {
  const Tree tree;
  ClockLock lock(gpu(), tree.root());
  Record record = read_at(0.9, 0.1);
  lock.judge(record);
  EXPECT_EQ(record.status, Status::denied);
  EXPECT_THAT(record.why, HasSubstr("did not stay: 1.08 GHz to 1.20 GHz"));
  EXPECT_EQ(lock.why_not(), "");
  Record next = read_at(0.9);
  lock.judge(next);
  EXPECT_EQ(next.status, Status::ok);
}

TEST(ClockLock, ARecordWithoutReadingsGoesByThoseBefore) {
  const Tree tree;
  ClockLock lock(gpu(), tree.root());
  Record first = read_at(0.9);
  first.telemetry.erase("sampled");
  Record second = first;
  lock.judge(first);
  EXPECT_EQ(first.status, Status::denied);
  EXPECT_THAT(first.why, HasSubstr("nothing was read of the GPU's clock"));
  EXPECT_EQ(lock.why_not(), "") << "a longer one will tell";
  Record seen = read_at(0.9);
  lock.judge(seen);
  lock.judge(second);
  EXPECT_EQ(second.status, Status::ok);
}

TEST(ClockLock, LeavesRecordsAloneThatHaveNoNumber) {
  const Tree tree;
  ClockLock lock(gpu(), tree.root());
  Record record = read_at(0);
  record.status = Status::skipped;
  record.why = "too large";
  lock.judge(record);
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.why, "too large");
}

TEST(ClockLock, ACpuIsKnownBeforeAnythingRuns) {
  const Tree tree;
  EXPECT_THAT(ClockLock(cpu(), tree.root()).why_not(), HasSubstr("nobody can tell whether"));
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq", "2000000");
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "2000000");
  ClockLock lock(cpu(), tree.root());
  EXPECT_EQ(lock.why_not(), "");
  Record record = read_at(0);
  lock.judge(record);
  EXPECT_EQ(record.about["locked_clock_hz"], 2e9);
}

}  // namespace
}  // namespace warpmark
