// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cloud.h"

#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

const std::string azure_tag = "7783-7084-3265-9085-8269-3286-77";

CpuModel virtual_cpu() { return {.vendor = "GenuineIntel", .flags = std::vector<std::string>{"avx2", "hypervisor"}}; }
CpuModel bare_cpu() { return {.vendor = "GenuineIntel", .flags = std::vector<std::string>{"avx2"}}; }

TEST(CloudOf, KnowsProvidersByTheirDmi) {
  const Tree tree;
  const FileRoot root = tree.root();
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Amazon EC2"}).kind, "aws");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Google", .product_name = "Google Compute Engine"}).kind, "gcp");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Microsoft Corporation", .chassis_asset_tag = azure_tag}).kind, "azure");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "QEMU", .chassis_asset_tag = "OracleCloud.com"}).kind, "oracle");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Alibaba Cloud", .product_name = "Alibaba Cloud ECS"}).kind, "alibaba");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Xen", .bios_version = "4.11.amazon"}).kind, "aws");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Hetzner", .product_name = "vServer"}).kind, "hetzner");
  EXPECT_EQ(cloud_of(root, {.sys_vendor = "Amazon EC2"}).evidence, "DMI sys_vendor: Amazon EC2");
}

TEST(CloudOf, DoesNotTakeAHypervisorForACloud) {
  const Tree tree;
  const Origin hyperv =
      cloud_of(tree.root(), {.sys_vendor = "Microsoft Corporation", .product_name = "Virtual Machine"});
  EXPECT_EQ(hyperv.kind, "");
  EXPECT_EQ(hyperv.evidence, "no known provider in DMI (Microsoft Corporation, Virtual Machine)");
  EXPECT_EQ(cloud_of(tree.root(), {.sys_vendor = "QEMU"}).kind, "");
  EXPECT_EQ(cloud_of(tree.root(), {.sys_vendor = "Not Amazon EC2"}).kind, "");
}

TEST(CloudOf, WithoutDmiSaysWhy) {
  const FileRoot root(fixture_root("nothing_readable"));
  const Origin cloud = cloud_of(root, dmi_of(root));
  EXPECT_EQ(cloud.kind, "");
  EXPECT_EQ(cloud.evidence, "/sys: not there");
}

TEST(InstanceTypeOf, IsWhatAwsPutsThere) {
  EXPECT_EQ(instance_type_of({.kind = "aws"}, {.product_name = "p5.48xlarge"}).kind, "p5.48xlarge");
  EXPECT_EQ(instance_type_of({.kind = "aws"}, {.product_name = "HVM domU"}).kind, "");
  EXPECT_EQ(instance_type_of({.kind = "gcp"}, {.product_name = "Google Compute Engine"}).kind, "");
}

TEST(HypervisorOf, NeedsTheFlag) {
  const Tree tree;
  const Dmi aws{.sys_vendor = "Amazon EC2", .product_name = "g5.metal"};
  EXPECT_EQ(hypervisor_of(tree.root(), aws, bare_cpu()).kind, "none");
  EXPECT_EQ(hypervisor_of(tree.root(), aws, virtual_cpu()).kind, "kvm");
}

TEST(HypervisorOf, KnowsMakersAndAdmitsNotTo) {
  const Tree tree;
  const FileRoot root = tree.root();
  EXPECT_EQ(hypervisor_of(root, {.sys_vendor = "VMware, Inc."}, virtual_cpu()).kind, "vmware");
  EXPECT_EQ(hypervisor_of(root, {.product_name = "Virtual Machine"}, virtual_cpu()).kind, "hyperv");
  EXPECT_EQ(hypervisor_of(root, {.sys_vendor = "QEMU"}, virtual_cpu()).kind, "qemu");
  const Origin unknown = hypervisor_of(root, {.sys_vendor = "Acme"}, virtual_cpu());
  EXPECT_EQ(unknown.kind, "");
  EXPECT_EQ(unknown.evidence, "virtual by the hypervisor flag, of unknown kind");
}

TEST(HypervisorOf, KnowsTheWindowsSubsystemByItsKernel) {
  const Tree tree;
  tree.write("/proc/sys/kernel/osrelease", "5.15.146.1-microsoft-standard-WSL2");
  EXPECT_EQ(hypervisor_of(tree.root(), {}, virtual_cpu()).kind, "wsl2");
}

TEST(HypervisorOf, IsUnknownWithoutFlags) {
  const FileRoot root(fixture_root("nothing_readable"));
  const Origin hypervisor = hypervisor_of(root, {}, cpu_model(root));
  EXPECT_EQ(hypervisor.kind, "");
  EXPECT_EQ(hypervisor.evidence, "/proc: not there");
}

TEST(HypervisorOf, HasNoFlagToMissOnArm) {
  const Tree tree;
  const CpuModel arm{.flags = std::vector<std::string>{"asimd"}};
  EXPECT_EQ(hypervisor_of(tree.root(), {.sys_vendor = "Amazon EC2"}, arm).kind, "kvm");
  EXPECT_EQ(hypervisor_of(tree.root(), {.sys_vendor = "Ampere"}, arm).kind, "");
}

}  // namespace
}  // namespace warpmark
