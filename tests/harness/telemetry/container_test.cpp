// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/container.h"

#include <gtest/gtest.h>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

constexpr const char* disk_root = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n";
constexpr const char* overlay_root = "612 511 0:52 / / rw,relatime - overlay overlay rw\n";
constexpr const char* engine_hosts = "622 612 259:1 /var/lib/x/hosts /etc/hosts rw - ext4 /dev/root rw\n";

TEST(ContainerOf, Fixtures) {
  const Container docker = container_of(FileRoot(fixture_root("cloud_gpu_no_driver")));
  EXPECT_EQ(docker.kind, "docker");
  EXPECT_EQ(docker.evidence, "/.dockerenv is there");
  EXPECT_EQ(container_of(FileRoot(fixture_root("dual_socket"))).kind, "none");
}

TEST(ContainerOf, IsUnknownWhereNothingCanBeRead) {
  const Container container = container_of(FileRoot(fixture_root("nothing_readable")));
  EXPECT_EQ(container.kind, "");
  EXPECT_EQ(container.evidence, "/proc: not there");
}

TEST(ContainerOf, MarksOfEngines) {
  const auto with = [](const char* mark) {
    const Tree tree;
    tree.write("/proc/self/mountinfo", overlay_root);
    tree.write(mark, "");
    return container_of(tree.root()).kind;
  };
  EXPECT_EQ(with("/.dockerenv"), "docker");
  EXPECT_EQ(with("/run/.containerenv"), "podman");
  EXPECT_EQ(with("/run/secrets/kubernetes.io/serviceaccount/token"), "kubernetes");
  EXPECT_EQ(with("/.singularity.d/labels.json"), "apptainer");
  EXPECT_EQ(with("/etc/unrelated"), "none");
}

TEST(ContainerOf, PodOfDockerIsKubernetes) {
  const Tree tree("cloud_gpu_no_driver");
  tree.folder("/run/secrets/kubernetes.io");
  EXPECT_EQ(container_of(tree.root()).kind, "kubernetes");
}

TEST(ContainerOf, MachineBootedFromAnImageIsNone) {
  const Tree tree;
  tree.write("/.dockerenv", "");
  tree.write("/proc/self/mountinfo", disk_root);
  EXPECT_EQ(container_of(tree.root()).kind, "none");
  tree.write("/proc/self/mountinfo", std::string(disk_root) + engine_hosts);  // docker on device mapper
  EXPECT_EQ(container_of(tree.root()).kind, "docker");
}

TEST(ContainerOf, WhatSystemdWasTold) {
  const Tree tree;
  tree.write("/proc/self/mountinfo", overlay_root);
  tree.write("/run/systemd/container", "systemd-nspawn\n");
  EXPECT_EQ(container_of(tree.root()).kind, "systemd-nspawn");
  tree.write("/run/systemd/container", "lxc-libvirt\n");
  EXPECT_EQ(container_of(tree.root()).kind, "lxc");
}

TEST(ContainerOf, GroupsOfEngines) {
  const auto with = [](const char* group) {
    const Tree tree;
    tree.write("/proc/self/mountinfo", overlay_root);
    tree.write("/proc/self/cgroup", group);
    return container_of(tree.root()).kind;
  };
  EXPECT_EQ(with("11:memory:/docker/4f1b"), "docker");
  EXPECT_EQ(with("11:memory:/kubepods/besteffort/pod12/ab"), "kubernetes");
  EXPECT_EQ(with("0::/machine.slice/libpod-12.scope"), "podman");
  EXPECT_EQ(with("0::/lxc.payload.web"), "lxc");
  EXPECT_EQ(with("0::/system.slice/docker.service"), "none");  // the engine itself is in none
  EXPECT_EQ(with("0::/user.slice"), "none");
}

TEST(ContainerOf, EngineWithoutAName) {
  const Tree tree;
  tree.write("/proc/self/mountinfo", std::string(overlay_root) + engine_hosts);
  EXPECT_EQ(container_of(tree.root()).kind, "");
}

}  // namespace
}  // namespace warpmark
