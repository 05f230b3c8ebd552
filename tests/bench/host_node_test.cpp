// SPDX-License-Identifier: Apache-2.0
// Which NUMA node a copy's host memory is asked to lie on, on machines made by hand.
#include "bench/transfer/host_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using ::testing::HasSubstr;

class Machine {
 public:
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, text);
  }
  void add_node(int node, const std::string& distances, const std::string& kilobytes = "1000",
                bool has_cpus = true) const {
    const std::string at = "sys/devices/system/node/node" + std::to_string(node) + "/";
    write(at + "meminfo", "Node " + std::to_string(node) + " MemTotal:       " + kilobytes + " kB\n");
    write(at + "distance", distances);
    write(at + "cpulist", has_cpus ? std::to_string(4 * node) + "\n" : "\n");
    std::filesystem::create_directories(folder_.path() / (at + "cpu" + std::to_string(4 * node)));
  }
  [[nodiscard]] int node(const AxisValue& value, const DeviceInfo& device) const {
    return host_node({.at = {{"node", value}}}, device, FileRoot(folder_.path()));
  }

 private:
  TemporaryFolder folder_{};
};

DeviceInfo cpu_on(int cpu) { return {.backend = "cpu", .facts = {{"cpus", {cpu}}}}; }
DeviceInfo gpu() { return {.backend = "cuda", .facts = {{"pci", "0000:1B:00.0"}}}; }

AxisValue word(const char* text) { return std::string(text); }

TEST(HostNode, IsNobodysChoiceWhereThereIsOne) {
  const Machine machine;
  machine.add_node(0, "10");
  EXPECT_LT(machine.node(word("near"), cpu_on(0)), 0);
  EXPECT_THROW((void)machine.node(word("far"), cpu_on(0)), Unsupported);
}

TEST(HostNode, IsFarOnlyWhereTheHostsMemoryIs) {
  const Machine machine;
  machine.add_node(0, "10 21 80");
  machine.add_node(1, "21 10 80");
  machine.add_node(2, "80 80 10", "1000", false);  // a GPU's own
  EXPECT_EQ(machine.node(word("far"), cpu_on(0)), 1);
}

TEST(HostNode, IsNearByCpuAndByBus) {
  const Machine machine;
  machine.add_node(0, "10 21");
  machine.add_node(1, "21 10");
  machine.write("sys/bus/pci/devices/0000:1b:00.0/numa_node", "1\n");
  EXPECT_EQ(machine.node(word("near"), cpu_on(0)), 0);
  EXPECT_EQ(machine.node(word("near"), cpu_on(4)), 1);
  EXPECT_EQ(machine.node(word("near"), gpu()), 1);
  EXPECT_EQ(machine.node(word("far"), gpu()), 0);
}

TEST(HostNode, IsFarWhereMemoryIsFarthest) {
  const Machine machine;
  machine.add_node(0, "10 12 32 40");
  machine.add_node(1, "12 10 32 40");
  machine.add_node(2, "32 32 10 40");
  machine.add_node(3, "40 40 40 10", "0");  // has CPUs and no memory
  EXPECT_EQ(machine.node(word("far"), cpu_on(0)), 2);
}

TEST(HostNode, IsTheSystemsNumberPlusOneWhereItIsGiven) {
  const Machine machine;
  EXPECT_EQ(machine.node(std::int64_t{1}, cpu_on(0)), 0);
  EXPECT_EQ(machine.node(std::int64_t{3}, gpu()), 2);
  EXPECT_GE(machine.node(std::int64_t{1} << 62, gpu()), 1024) << "which no machine has";
}

TEST(HostMemory, IsNotTakenWhereItWouldBecomeScarce) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "proc");
  folder.write("proc/meminfo", "MemTotal: 2000 kB\nMemAvailable: 1000 kB\n");
  const FileRoot root(folder.path());
  EXPECT_NO_THROW(need_host_memory(std::size_t{900} << 10, root));
  try {
    need_host_memory(std::size_t{901} << 10, root);
    FAIL();
  } catch (const Skipped& why) {
    EXPECT_THAT(why.what(), HasSubstr("needs 901 KiB more memory of the host, 900 KiB is free"));
  }
}

TEST(HostNode, SaysThatItIsNotTold) {
  const Machine machine;
  machine.add_node(0, "10 21");
  machine.add_node(1, "21 10");
  try {
    (void)machine.node(word("far"), gpu());
    FAIL();
  } catch (const Unsupported& why) {
    EXPECT_THAT(why.what(), HasSubstr("does not tell which NUMA node is near"));
  }
  EXPECT_LT(machine.node(word("near"), gpu()), 0);
}

}  // namespace
}  // namespace warpmark
