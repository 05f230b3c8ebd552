// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvidia_presence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string pci = "/sys/bus/pci/devices/";

void write_device(const Tree& tree, const std::string& address, const char* vendor, const char* pci_class) {
  tree.write(pci + address + "/vendor", vendor);
  tree.write(pci + address + "/class", pci_class);
  tree.write(pci + address + "/device", "0x2330");
}

TEST(FindNvidia, WithoutADriver) {
  const NvidiaPresence found = find_nvidia(FileRoot(fixture_root("cloud_gpu_no_driver")));
  EXPECT_TRUE(found.exists);
  ASSERT_EQ(found.devices.size(), 1U);  // not the cloud's own VGA controller
  EXPECT_EQ(found.devices[0].pci, "0000:00:1e.0");
  EXPECT_EQ(found.devices[0].device_id, "0x2237");
  EXPECT_EQ(found.devices[0].driver, "");
  EXPECT_EQ(found.devices[0].link.transfers_per_second, 16e9);
  EXPECT_EQ(found.devices[0].link.width, 8);
  EXPECT_EQ(found.devices[0].link_max.width, 16);
  EXPECT_THAT(found.nodes, IsEmpty());
  EXPECT_EQ(found.evidence,
            "NVIDIA GPU on the PCI bus: 0000:00:1e.0 (0x2237, driver: none); no device nodes to look at "
            "(/dev: not there); nothing in /proc/driver/nvidia/gpus");
}

TEST(FindNvidia, WithADriver) {
  const NvidiaPresence found = find_nvidia(FileRoot(fixture_root("dual_socket")));
  ASSERT_EQ(found.devices.size(), 1U);
  EXPECT_EQ(found.devices[0].driver, "nvidia");
  EXPECT_EQ(found.devices[0].link.transfers_per_second, 2.5e9);
  EXPECT_THAT(found.nodes, ElementsAre("/dev/nvidia0"));
  EXPECT_THAT(found.driver_gpus, ElementsAre("0000:17:00.0"));
}

TEST(FindNvidia, FunctionsOfACardAloneAreNoGpu) {
  const Tree tree;
  write_device(tree, "0000:17:00.1", "0x10de", "0x040300");  // audio
  write_device(tree, "0000:17:00.2", "0x10de", "0x0c0330");  // USB
  write_device(tree, "0000:17:00.3", "0x10de", "0x0c8000");  // UCSI
  write_device(tree, "0000:c1:00.0", "0x10de", "0x068000");  // NVSwitch
  tree.folder("/dev");
  const NvidiaPresence found = find_nvidia(tree.root());
  EXPECT_FALSE(found.exists);
  EXPECT_TRUE(found.looked);
  write_device(tree, "0000:17:00.0", "0x10de", "0x030000");
  EXPECT_TRUE(find_nvidia(tree.root()).exists);
}

TEST(FindNvidia, DisplaysOfOthersAreNoneOfTheirs) {
  const Tree tree;
  write_device(tree, "0000:00:02.0", "0x8086", "0x030000");
  write_device(tree, "0000:03:00.0", "0x1002", "0x030200");
  EXPECT_FALSE(find_nvidia(tree.root()).exists);
}

TEST(FindNvidia, CountsNumberedNodesOnly) {
  const Tree tree;
  for (const char* name :
       {"nvidiactl", "nvidia-uvm", "nvidia-modeset", "nvidia", "nvidia0x", "nvidia-caps/nvidia-cap1"}) {
    tree.write(std::string("/dev/") + name, "");
  }
  tree.folder("/dev/nvidia3");  // what a container engine makes of a node that the host does not have
  EXPECT_FALSE(find_nvidia(tree.root()).exists);
  tree.write("/dev/nvidia12", "");
  const NvidiaPresence found = find_nvidia(tree.root());
  EXPECT_TRUE(found.exists);
  EXPECT_THAT(found.nodes, ElementsAre("/dev/nvidia12"));
}

TEST(FindNvidia, BelievesTheDriversOwnList) {
  const Tree tree;
  tree.folder("/proc/driver/nvidia/gpus");
  EXPECT_FALSE(find_nvidia(tree.root()).exists);
  tree.folder("/proc/driver/nvidia/gpus/0000:01:00.0");
  EXPECT_TRUE(find_nvidia(tree.root()).exists);
}

TEST(FindNvidia, OnWindowsSubsystemAsksWhoseDriverItIs) {
  const Tree tree;
  tree.write("/dev/dxg", "");
  EXPECT_TRUE(find_nvidia(tree.root()).exists);  // nobody says whose GPU it is
  tree.folder("/usr/lib/wsl/drivers/iigd_dch.inf_amd64_0b3d1f3a6ed0c2f1");
  tree.folder("/usr/lib/wsl/drivers/nvdimm.inf_amd64_a54c2d1f3a6ed0c2");
  EXPECT_FALSE(find_nvidia(tree.root()).exists);
  tree.folder("/usr/lib/wsl/drivers/nv_dispi.inf_amd64_9f1c2d1f3a6ed0c2");
  EXPECT_THAT(find_nvidia(tree.root()).nodes, ElementsAre("/dev/dxg"));
}

TEST(FindNvidia, DoesNotTakeABlindLookForNone) {
  const NvidiaPresence found = find_nvidia(FileRoot(fixture_root("nothing_readable")));
  EXPECT_FALSE(found.exists);
  EXPECT_FALSE(found.looked);
  EXPECT_THAT(found.evidence, HasSubstr("no PCI devices to look at (/sys: not there)"));
}

TEST(FindNvidia, LeavesOutALinkThatIsDown) {
  const Tree tree("cloud_gpu_no_driver");
  tree.write(pci + "0000:00:1e.0/current_link_speed", "Unknown");
  tree.write(pci + "0000:00:1e.0/current_link_width", "0");
  tree.write(pci + "0000:00:1e.0/max_link_width", "255");
  const NvidiaPresence found = find_nvidia(tree.root());
  EXPECT_EQ(found.devices.at(0).link.transfers_per_second, std::nullopt);
  EXPECT_EQ(found.devices.at(0).link.width, std::nullopt);
  EXPECT_EQ(found.devices.at(0).link_max.width, std::nullopt);
}

}  // namespace
}  // namespace warpmark
