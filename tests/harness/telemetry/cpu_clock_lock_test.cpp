// SPDX-License-Identifier: Apache-2.0
// CPUs at one clock that somebody fixed, and all the ways not to be.
#include "harness/telemetry/cpu_clock_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

void set_limits(const Tree& tree, int cpu, const std::string& low, const std::string& high) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/";
  tree.write(folder + "scaling_min_freq", low + "\n");
  tree.write(folder + "scaling_max_freq", high + "\n");
}

TEST(CpuClockLock, IsTheOneClockThatAllMayHave) {
  const Tree tree;
  set_limits(tree, 0, "2000000", "2000000");
  set_limits(tree, 3, "2000000", "2000000");
  set_limits(tree, 1, "800000", "3500000");  // not measured on
  const CpuClockLock lock = cpu_clock_lock(tree.root(), {0, 3});
  EXPECT_EQ(lock.clock_hz, 2e9);
  EXPECT_EQ(lock.why_not, "");
}

TEST(CpuClockLock, IsNoneWhereOneMayMove) {
  const Tree tree;
  set_limits(tree, 0, "2000000", "2000000");
  set_limits(tree, 1, "800000", "3500000");
  const CpuClockLock lock = cpu_clock_lock(tree.root(), {0, 1});
  EXPECT_FALSE(lock.clock_hz);
  EXPECT_THAT(lock.why_not, HasSubstr("CPU 1 is not fixed, it goes from 800 MHz to 3.50 GHz"));
  EXPECT_THAT(lock.why_not, HasSubstr("sudo cpupower frequency-set"));
}

TEST(CpuClockLock, IsNoneAtABoost) {
  const Tree tree;
  set_limits(tree, 0, "3500000", "3500000");
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2100000\n");
  EXPECT_THAT(cpu_clock_lock(tree.root(), {0}).why_not, HasSubstr("a boost over its 2.10 GHz"));
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "3500000\n");
  EXPECT_EQ(cpu_clock_lock(tree.root(), {0}).clock_hz, 3.5e9);
}

TEST(CpuClockLock, IsNoneAtDifferentClocks) {
  const Tree tree;
  set_limits(tree, 0, "2000000", "2000000");
  set_limits(tree, 1, "2100000", "2100000");
  EXPECT_THAT(cpu_clock_lock(tree.root(), {0, 1}).why_not, HasSubstr("fixed at different clocks"));
}

TEST(CpuClockLock, SaysWhyNobodyCanTell) {
  const Tree tree;
  EXPECT_THAT(cpu_clock_lock(tree.root(), {0}).why_not, HasSubstr("nobody can tell whether"));
  set_limits(tree, 0, "fast", "2000000");
  EXPECT_THAT(cpu_clock_lock(tree.root(), {0}).why_not, HasSubstr("scaling_min_freq: not a number"));
  EXPECT_THAT(cpu_clock_lock(tree.root(), {}).why_not, HasSubstr("not known which CPUs"));
}

}  // namespace
}  // namespace warpmark
