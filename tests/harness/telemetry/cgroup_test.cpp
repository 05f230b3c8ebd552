// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(CgroupLimits, OfVersion2InAContainer) {
  const CgroupLimits limits = cgroup_limits(FileRoot(fixture_root("cloud_gpu_no_driver")));
  EXPECT_EQ(limits.version, 2);
  EXPECT_EQ(limits.quota_cores, 2.5);
  EXPECT_EQ(limits.throttling.periods, 120);
  EXPECT_EQ(limits.throttling.throttled_periods, 3);
  EXPECT_DOUBLE_EQ(limits.throttling.throttled_seconds.value_or(0), 0.512);
  EXPECT_THAT(limits.cpus, Optional(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(limits.memory_limit_bytes, 8589934592);
  EXPECT_EQ(limits.memory_free_bytes, 8589934592 - 3221225472 + 1073741824);  // limit - usage + inactive_file
  EXPECT_EQ(limits.cpu_unknown, "");
  EXPECT_EQ(limits.memory_unknown, "");
}

TEST(CgroupLimits, OfVersion1ComeFromTheTightestParent) {
  const CgroupLimits limits = cgroup_limits(FileRoot(fixture_root("dual_socket")));
  EXPECT_EQ(limits.version, 1);
  EXPECT_EQ(limits.quota_cores, 3.0);  // of user.slice; job7 has -1
  EXPECT_EQ(limits.throttling.periods, 40);
  EXPECT_EQ(limits.throttling.throttled_periods, 8);
  EXPECT_DOUBLE_EQ(limits.throttling.throttled_seconds.value_or(0), 1.5);
  EXPECT_EQ(limits.memory_limit_bytes, 68719476736);
  EXPECT_EQ(limits.memory_free_bytes, 68719476736 - 34359738368 + 2147483648);
}

TEST(CgroupLimits, MaxIsNoLimit) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  tree.write("/sys/fs/cgroup/memory.max", "max\n");
  const CgroupLimits limits = cgroup_limits(tree.root());
  EXPECT_EQ(limits.version, 2);
  EXPECT_EQ(limits.quota_cores, std::nullopt);
  EXPECT_EQ(limits.cpu_unknown, "");
  EXPECT_EQ(limits.memory_limit_bytes, std::nullopt);
  EXPECT_EQ(limits.memory_free_bytes, std::nullopt);
  EXPECT_EQ(limits.memory_unknown, "");
}

TEST(CgroupLimits, TopmostGroupHasNoLimitFiles) {
  const Tree tree("cloud_gpu_no_driver");
  tree.remove("/sys/fs/cgroup/cpu.max");
  tree.remove("/sys/fs/cgroup/memory.max");
  const CgroupLimits limits = cgroup_limits(tree.root());
  EXPECT_EQ(limits.quota_cores, std::nullopt);
  EXPECT_EQ(limits.cpu_unknown, "");
  EXPECT_EQ(limits.memory_unknown, "");
}

TEST(CgroupLimits, NonsenseIsUnknownNotUnlimited) {
  const Tree tree("cloud_gpu_no_driver");
  for (const char* text : {"", "fast", "250000", "-5 100000", "250000 0", "1 2 3"}) {
    tree.write("/sys/fs/cgroup/cpu.max", text);
    const CgroupLimits limits = cgroup_limits(tree.root());
    EXPECT_EQ(limits.quota_cores, std::nullopt) << text;
    EXPECT_EQ(limits.cpu_unknown, "/sys/fs/cgroup/cpu.max: not a quota") << text;
  }
  tree.write("/sys/fs/cgroup/memory.max", "8G");
  EXPECT_EQ(cgroup_limits(tree.root()).memory_unknown, "/sys/fs/cgroup/memory.max: not a limit");
}

TEST(CgroupLimits, FreeMemoryStaysWithinTheLimit) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write("/sys/fs/cgroup/memory.current", "9000000000");
  tree.write("/sys/fs/cgroup/memory.stat", "inactive_file 0");
  EXPECT_EQ(cgroup_limits(tree.root()).memory_free_bytes, 0);
  tree.write("/sys/fs/cgroup/memory.current", "0");
  tree.write("/sys/fs/cgroup/memory.stat", "inactive_file 9223372036854775807");
  EXPECT_EQ(cgroup_limits(tree.root()).memory_free_bytes, 8589934592);
}

TEST(CgroupLimits, UnknownWhereNothingIsMounted) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write("/proc/self/mountinfo", "612 511 0:52 / / rw - overlay overlay rw\n");
  const CgroupLimits limits = cgroup_limits(tree.root());
  EXPECT_EQ(limits.version, std::nullopt);
  EXPECT_EQ(limits.cpu_unknown, "the control group file system is not mounted (/proc/self/mountinfo)");
  EXPECT_EQ(limits.memory_unknown, limits.cpu_unknown);
}

TEST(CgroupLimits, UnknownWithoutProc) {
  const CgroupLimits limits = cgroup_limits(FileRoot(fixture_root("nothing_readable")));
  EXPECT_EQ(limits.cpu_unknown, "/proc: not there");
  EXPECT_EQ(limits.memory_unknown, "/proc: not there");
}

TEST(CgroupLimits, PathOfTheHostIsReadBelowWhatIsMounted) {  // a container without a cgroup namespace
  const Tree tree;
  tree.write("/proc/self/cgroup", "4:memory:/docker/ab12\n3:cpu,cpuacct:/docker/ab12/inner\n");
  tree.write("/proc/self/mountinfo",
             "30 25 0:29 /docker/ab12 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n"
             "31 25 0:30 /docker/ab12 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  tree.write("/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "150000");
  tree.write("/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000");
  tree.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000");
  tree.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  tree.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576");
  const CgroupLimits limits = cgroup_limits(tree.root());
  EXPECT_EQ(limits.quota_cores, 1.5);
  EXPECT_EQ(limits.memory_limit_bytes, 1048576);
  EXPECT_EQ(limits.memory_free_bytes, std::nullopt);  // usage unknown
}

TEST(CgroupLimits, HostilePathsStayBelowTheMount) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write("/etc/cpu.max", "100000 100000");
  for (const char* text : {"0::/../../../etc", "0::etc", "0::", "0::/..", "nonsense", "0::/a//b/", ""}) {
    tree.write("/proc/self/cgroup", text);
    const auto cores = cgroup_limits(tree.root()).quota_cores;
    EXPECT_TRUE(!cores || *cores == 2.5) << text;
  }
}

}  // namespace
}  // namespace warpmark
