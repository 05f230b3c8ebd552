// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cpu_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/telemetry/cpu_model.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuLimits, TakesOneThreadOfEveryAllowedCoreUpToTheQuota) {
  const CpuLimits limits = cpu_limits(FileRoot(fixture_root("dual_socket")));
  EXPECT_THAT(limits.cpus, ElementsAre(4, 2, 5));  // of cores {0,4} {2,6} {1,5} {3,7}, allowed 2-7, quota 3
  EXPECT_EQ(limits.memory_available, 68719476736 - 34359738368 + 2147483648);
  EXPECT_EQ(limits.last_level_cache_bytes, 2 * (48 << 20));
  EXPECT_EQ(limits.l1d_bytes, 48 << 10);
  EXPECT_EQ(limits.l2_bytes, 1280 << 10);
  EXPECT_EQ(limits.max_clock_hz, 3.2e9);
  EXPECT_EQ(limits.model, "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz");
}

TEST(CpuLimits, RoundsTheQuotaUp) {
  const Tree tree("dual_socket");
  const auto cores_at = [&](const char* quota) {
    tree.write("/sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.cfs_quota_us", quota);
    return cpu_limits(tree.root()).cpus.size();
  };
  EXPECT_EQ(cores_at("210000"), 3U);
  EXPECT_EQ(cores_at("200000"), 2U);
  EXPECT_EQ(cores_at("10000"), 1U);
  EXPECT_EQ(cores_at("-1"), 4U);
  EXPECT_EQ(cores_at("9000000"), 4U);
}

TEST(CpuLimits, MemoryIsTheLessOfMachineAndGroup) {
  const Tree tree("cloud_gpu_no_driver");
  EXPECT_EQ(cpu_limits(tree.root()).memory_available, 6442450944);
  EXPECT_EQ(memory_available(tree.root()), 6442450944);
  EXPECT_EQ(cpu_limits(tree.root()).memory_total, 8589934592);
  tree.write("/sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(cpu_limits(tree.root()).memory_available, 15204352LL * 1024);
  EXPECT_EQ(cpu_limits(tree.root()).memory_total, 16181324LL * 1024);
  EXPECT_EQ(memory_available(tree.root()), 15204352LL * 1024);
}

TEST(CpuLimits, CpusetNarrowsTheAffinity) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write("/sys/fs/cgroup/cpuset.cpus.effective", "3");
  EXPECT_THAT(cpu_limits(tree.root()).cpus, ElementsAre(3));
  tree.write("/sys/fs/cgroup/cpuset.cpus.effective", "64");  // of another machine: not believed
  EXPECT_THAT(cpu_limits(tree.root()).cpus, ElementsAre(0, 1));
}

TEST(CpuLimits, UnknownIsZero) {
  const CpuLimits limits = cpu_limits(FileRoot(fixture_root("nothing_readable")));
  EXPECT_THAT(limits.cpus, IsEmpty());
  EXPECT_EQ(limits.memory_available, 0);
  EXPECT_EQ(limits.last_level_cache_bytes, 0);
  EXPECT_EQ(limits.max_clock_hz, 0);
  EXPECT_EQ(limits.model, "");
}

TEST(CpuLimits, OfThisMachineHasACpuAndMemory) {
  const CpuLimits limits = cpu_limits();
  EXPECT_FALSE(limits.cpus.empty());
  EXPECT_GT(limits.memory_available, 0);
}

TEST(CpuModelOf, Arm) {
  const Tree tree;
  tree.write("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
  const CpuModel cpu = cpu_model(tree.root());
  EXPECT_EQ(cpu.name, "ARM implementer 0x41 part 0xd4f");
  EXPECT_EQ(cpu.vendor, std::nullopt);
  EXPECT_TRUE(cpu.has("sve"));
  EXPECT_FALSE(cpu.has("sve2"));
}

}  // namespace
}  // namespace warpmark
