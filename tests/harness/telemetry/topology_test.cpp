// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TopologyFromSysfs, OfTwoSocketsWithTwoThreadsACore) {
  const Topology topology = topology_from_sysfs(FileRoot(fixture_root("dual_socket")));
  ASSERT_EQ(topology.cores.size(), 4U);
  EXPECT_EQ(topology.cores[0].package, 0);
  EXPECT_THAT(topology.cores[0].cpus, ElementsAre(0, 4));
  EXPECT_THAT(topology.cores[1].cpus, ElementsAre(2, 6));
  EXPECT_EQ(topology.cores[2].package, 1);
  EXPECT_THAT(topology.cores[2].cpus, ElementsAre(1, 5));
  EXPECT_THAT(topology.cores[3].cpus, ElementsAre(3, 7));
  ASSERT_EQ(topology.caches.size(), 4U + 4U + 2U);  // no instruction caches
  EXPECT_EQ(topology.caches.front().bytes, 48 * 1024);
  EXPECT_EQ(topology.caches.back().bytes, 48 << 20);
  EXPECT_THAT(topology.caches.back().cpus, ElementsAre(1, 3, 5, 7));
  ASSERT_EQ(topology.numa_nodes.size(), 2U);
  EXPECT_EQ(topology.numa_nodes[1].memory_bytes, 263978496LL * 1024);
  EXPECT_THAT(topology.numa_nodes[1].cpus, ElementsAre(1, 3, 5, 7));
}

TEST(TopologyFromSysfs, IsEmptyWhereNothingIs) {
  const Topology topology = topology_from_sysfs(FileRoot(fixture_root("nothing_readable")));
  EXPECT_THAT(topology.cores, IsEmpty());
  EXPECT_THAT(topology.caches, IsEmpty());
  EXPECT_THAT(topology.numa_nodes, IsEmpty());
}

TEST(TopologyFromSysfs, TakesTheOlderNameOfTheSiblings) {
  const Tree tree;
  tree.write("/sys/devices/system/cpu/online", "0");
  tree.write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0");
  tree.write("/sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1");
  const Topology topology = topology_from_sysfs(tree.root());
  ASSERT_EQ(topology.cores.size(), 1U);
  EXPECT_EQ(topology.cores[0].package, std::nullopt);
}

TEST(TopologyFromSysfs, LeavesOutWhatMakesNoSense) {
  const Tree tree("dual_socket");
  const std::string cpu0 = "/sys/devices/system/cpu/cpu0/";
  tree.write(cpu0 + "topology/core_cpus_list", "1-2");  // a core without its own thread
  tree.write("/sys/devices/system/cpu/cpu4/topology/core_cpus_list", "nonsense");
  tree.write(cpu0 + "cache/index0/size", "999999999999M");
  tree.write("/sys/devices/system/cpu/cpu4/cache/index0/size", "-3K");
  const Topology topology = topology_from_sysfs(tree.root());
  EXPECT_EQ(topology.cores.size(), 3U);
  EXPECT_EQ(topology.caches.size(), 9U);
}

TEST(TopologyByHwloc, AgreesWithSysfsHere) {
  const Topology sysfs = topology_from_sysfs(FileRoot());
  const Topology hwloc = topology_by_hwloc();
  ASSERT_FALSE(hwloc.cores.empty());
  if (sysfs.cores.empty() || sysfs.caches.empty()) GTEST_SKIP() << "the kernel has no topology here";
  const auto cores = [](const Topology& t) {
    std::set<std::vector<int>> all;
    for (const Core& core : t.cores) all.insert(core.cpus);
    return all;
  };
  const auto caches = [](const Topology& t) {
    std::set<std::tuple<int, std::int64_t, std::vector<int>>> all;
    for (const Cache& cache : t.caches) all.insert({cache.level, cache.bytes, cache.cpus});
    return all;
  };
  EXPECT_EQ(cores(hwloc), cores(sysfs));
  EXPECT_EQ(caches(hwloc), caches(sysfs));
}

TEST(OneCpuPerCore, IsTheFirstThatIsAllowed) {
  const Topology topology{.cores = {{.cpus = {0, 4}}, {.cpus = {1, 5}}, {.cpus = {2, 6}}}};
  EXPECT_THAT(one_cpu_per_core(topology, {0, 1, 2, 4, 5, 6}), ElementsAre(0, 1, 2));
  EXPECT_THAT(one_cpu_per_core(topology, {1, 4, 5}), ElementsAre(4, 1));
  EXPECT_THAT(one_cpu_per_core(topology, {9}), IsEmpty());
}

TEST(CacheBytes, CountsCachesInUseOnce) {
  const Topology topology{.caches = {{.level = 1, .bytes = 32, .cpus = {0}},
                                     {.level = 1, .bytes = 48, .cpus = {1}},
                                     {.level = 3, .bytes = 1000, .cpus = {0, 1}},
                                     {.level = 3, .bytes = 1000, .cpus = {2, 3}}}};
  EXPECT_EQ(last_cache_level(topology), 3);
  EXPECT_EQ(cache_bytes(topology, 3, {0, 1}), 1000);
  EXPECT_EQ(cache_bytes(topology, 3, {0, 2}), 2000);
  EXPECT_EQ(cache_bytes(topology, 3, {4}), 0);
  EXPECT_EQ(largest_cache_bytes(topology, 1, {0, 1}), 48);
  EXPECT_EQ(last_cache_level(Topology{}), 0);
}

}  // namespace
}  // namespace warpmark
