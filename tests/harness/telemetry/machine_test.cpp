// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/harness/telemetry/places.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Nulls without a reason on the denied list.
std::vector<std::string> unexplained(const json& machine) {
  std::vector<std::string> nulls;
  add_nulls(machine, "", nulls);
  const auto explained = [&](const std::string& place) {
    return std::any_of(machine["denied"].begin(), machine["denied"].end(), [&](const json& d) {
      return place == d["what"].get<std::string>() && !d["why"].get<std::string>().empty();
    });
  };
  nulls.erase(std::remove_if(nulls.begin(), nulls.end(), explained), nulls.end());
  return nulls;
}

std::string why(const json& machine, const std::string& what) {
  for (const json& entry : machine["denied"]) {
    if (entry["what"] == what) return entry["why"];
  }
  return "not denied";
}

TEST(MachineCard, OfACloudMachineInDocker) {
  const json machine = machine_card(FileRoot(fixture_root("cloud_gpu_no_driver")));
  EXPECT_EQ(machine["os"], json::parse(R"({"name":"Ubuntu 22.04.4 LTS","kernel":"6.5.0-1017-aws","arch":"x86_64"})"));
  EXPECT_EQ(machine["boot_id"], "0d9f3c52-5a0e-4c55-9a34-7f5b1f0e2a11");
  EXPECT_EQ(machine["uptime_seconds"], 93784.52);
  EXPECT_EQ(machine["load"], json::parse("[0.08,0.11,0.09]"));
  EXPECT_EQ(machine["cpu"], json::parse(R"({
    "model":"AMD EPYC 7R32","vendor":"AuthenticAMD","family":23,"model_number":49,"stepping":0,"topology_from":"sysfs",
    "sockets":1,"cores":2,"threads":4,"smt":true,"numa_nodes":1,"allowed":"0-3",
    "caches":[{"level":1,"kind":"data","bytes":32768,"threads":2,"count":2},
              {"level":2,"kind":"unified","bytes":524288,"threads":2,"count":2},
              {"level":3,"kind":"unified","bytes":8388608,"threads":4,"count":1}],
    "clock_hz":null,"max_clock_hz":null,"governor":null,
    "instruction_sets":["sse4_2","avx","f16c","fma","avx2"],"hypervisor_flag":true})"));
  EXPECT_EQ(machine["memory"], json::parse(R"({
    "total_bytes":16569675776,"available_bytes":15569256448,"huge_page_bytes":2097152,"huge_pages":0,"huge_pages_free":0,
    "transparent_huge_pages":"madvise","numa":[{"node":0,"bytes":16569675776,"cpus":"0-3"}],"slots":null,"modules":null})"));
  EXPECT_EQ(machine["cgroup"], json::parse(R"({
    "version":2,"cpu":{"limited":true,"cores":2.5,"periods":120,"throttled_periods":3,"throttled_seconds":0.512},
    "cpus":"0-3","memory":{"limited":true,"bytes":8589934592,"free_bytes":6442450944}})"));
  EXPECT_EQ(machine["container"]["kind"], "docker");
  EXPECT_EQ(machine["hypervisor"]["kind"], "kvm");
  EXPECT_EQ(machine["cloud"]["provider"], "aws");
  EXPECT_EQ(machine["cloud"]["instance_type"], "g5.xlarge");
  EXPECT_EQ(machine["nvidia"]["present"], true);
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["driver"], "none");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["name"], nullptr);
  EXPECT_EQ(machine["nvidia"]["environment"], nullptr);
  EXPECT_EQ(machine["software"], json::parse(R"({"driver":null,"driver_flavour":null,"libraries":[]})"));
}

TEST(MachineCard, OfTwoSocketsOfBareMetal) {
  const json machine = machine_card(FileRoot(fixture_root("dual_socket")));
  const json& cpu = machine["cpu"];
  EXPECT_EQ(cpu["sockets"], 2);
  EXPECT_EQ(cpu["cores"], 4);
  EXPECT_EQ(cpu["threads"], 8);
  EXPECT_EQ(cpu["numa_nodes"], 2);
  EXPECT_EQ(cpu["clock_hz"], 2000123000.0);
  EXPECT_EQ(cpu["max_clock_hz"], 3.2e9);
  EXPECT_EQ(cpu["governor"], "performance");
  EXPECT_EQ(cpu["hypervisor_flag"], false);
  EXPECT_EQ(cpu["allowed"], "2-7");
  EXPECT_EQ(machine["memory"]["huge_pages"], 512);
  EXPECT_EQ(machine["memory"]["transparent_huge_pages"], "always");
  EXPECT_EQ(machine["cgroup"]["version"], 1);
  EXPECT_EQ(machine["cgroup"]["cpu"]["cores"], 3.0);
  EXPECT_EQ(machine["container"]["kind"], "none");
  EXPECT_EQ(machine["hypervisor"]["kind"], "none");
  EXPECT_EQ(machine["cloud"]["provider"], nullptr);
  EXPECT_EQ(why(machine, "cloud.provider"), "no known provider in DMI (Supermicro, SYS-420GP-TNR)");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["link"]["transfers_per_second"], 2.5e9);
  EXPECT_EQ(machine["software"]["driver"], "535.104.05");
  EXPECT_EQ(machine["software"]["driver_flavour"], "proprietary");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["name"], "NVIDIA RTX A6000");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["uuid"], "GPU-5b7e0d4c-9a61-4f0e-8c1d-3e2f7a90b6d8");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["board"]["vbios"], "94.02.5c.00.03");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["firmware"], "535.104.05");
}

TEST(MachineCard, WithNothingToReadIsNullsWithReasons) {
  const json machine = machine_card(FileRoot(fixture_root("nothing_readable")));
  EXPECT_EQ(machine["host"]["name"], nullptr);
  EXPECT_EQ(machine["cpu"]["cores"], nullptr);
  EXPECT_EQ(machine["memory"]["total_bytes"], nullptr);
  EXPECT_EQ(machine["memory"]["numa"], nullptr);
  EXPECT_EQ(machine["cgroup"]["cpu"], nullptr);
  EXPECT_EQ(machine["container"]["kind"], nullptr);
  EXPECT_EQ(machine["dmi"], nullptr);
  EXPECT_EQ(machine["nvidia"]["present"], nullptr);
  EXPECT_EQ(why(machine, "memory.total_bytes"), "/proc: not there");
  EXPECT_EQ(why(machine, "cpu.max_clock_hz"), "/sys: not there");
  EXPECT_THAT(unexplained(machine), IsEmpty());
}

TEST(MachineCard, ExplainsEveryNull) {
  for (const char* fixture : {"cloud_gpu_no_driver", "dual_socket"}) {
    EXPECT_THAT(unexplained(machine_card(FileRoot(fixture_root(fixture)))), IsEmpty()) << fixture;
  }
  EXPECT_THAT(unexplained(machine_card(FileRoot())), IsEmpty());
  json planted = machine_card(FileRoot(fixture_root("dual_socket")));
  planted["cpu"]["cores"] = nullptr;
  EXPECT_EQ(unexplained(planted), std::vector<std::string>{"cpu.cores"});
}

TEST(MachineCard, DeniesNothingThatIsThere) {
  const json machine = machine_card(FileRoot(fixture_root("dual_socket")));
  for (const json& entry : machine["denied"]) {
    std::string place = '/' + entry["what"].get<std::string>();
    std::replace(place.begin(), place.end(), '.', '/');
    EXPECT_TRUE(machine.at(json::json_pointer(place)).is_null()) << place;
  }
}

TEST(MachineCard, HashesTheHost) {
  const Tree tree("dual_socket");
  const json machine = machine_card(tree.root());
  const std::string name = machine["host"]["name"];
  EXPECT_EQ(name.substr(0, 5), "host-");
  EXPECT_EQ(name.size(), 13U);
  EXPECT_THAT(machine.dump(), Not(HasSubstr("gpu-node-17")));
  EXPECT_THAT(machine.dump(), Not(HasSubstr("5f0c7b1e9a4d")));  // the machine id
  EXPECT_THAT(machine.dump(), Not(HasSubstr("INV-004711")));    // the asset tag
  EXPECT_EQ(machine_card(tree.root())["host"]["name"], name);
  tree.write("/etc/machine-id", "00000000000000000000000000000000");
  EXPECT_NE(machine_card(tree.root())["host"]["name"], name);
}

TEST(MachineCard, TakesALabelForTheHost) {
  const json machine = machine_card(FileRoot(fixture_root("dual_socket")), {.host_label = "rack 3"});
  EXPECT_EQ(machine["host"], json::parse(R"({"name":"rack 3","name_from":"label"})"));
}

TEST(MachineCard, HoldsValidTextOnly) {
  const Tree tree("dual_socket");
  tree.write("/sys/class/dmi/id/sys_vendor", "bad \xff\xfe bytes");
  const json machine = machine_card(tree.root());
  EXPECT_EQ(machine["dmi"]["sys_vendor"], "bad \xef\xbf\xbd\xef\xbf\xbd bytes");
  EXPECT_NO_THROW((void)machine.dump());
}

/// Files of a tree, without those of all CPUs but the first.
std::vector<std::string> files_of(const Tree& tree) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.path())) {
    const std::string name = '/' + entry.path().lexically_relative(tree.path()).string();
    const bool other_cpu =
        name.find("/system/cpu/cpu") != std::string::npos && name.find("/cpu0/") == std::string::npos;
    if (entry.is_regular_file() && !other_cpu) names.push_back(name);
  }
  return names;
}

TEST(MachineCard, SurvivesNonsenseInAnyFile) {
  const Tree tree("dual_socket");
  const std::vector<std::string> files = files_of(tree);
  ASSERT_GT(files.size(), 50U);
  for (const std::string& file : files) {
    const std::string before = text_of_file(tree.on_disk(file));
    for (const std::string& nonsense : {std::string("-9223372036854775808"), std::string("9223372036854775807 1"),
                                        std::string("\xff\x00\n:\n - - - -\n0::\n", 18)}) {
      tree.write(file, nonsense);
      EXPECT_THAT(unexplained(machine_card(tree.root())), IsEmpty()) << file;
    }
    tree.write(file, before);
  }
}

TEST(MachineCard, NamesFilesThatItRefused) {
  const Tree tree("dual_socket");
  tree.write("/proc/meminfo", "");
  std::filesystem::resize_file(tree.on_disk("/proc/meminfo"), 100 << 20);
  tree.remove("/etc/os-release");
  tree.link("/etc/os-release", "/etc/passwd");
  const json machine = machine_card(tree.root());
  EXPECT_EQ(why(machine, "memory.total_bytes"), "/proc/meminfo: refused: larger than 65536 bytes");
  EXPECT_EQ(why(machine, "os.name"), "/etc/os-release: refused: a symlink leads out of the root");
  EXPECT_THAT(unexplained(machine), IsEmpty());
}

TEST(MachineCard, ReadsTheDriverVersionOfBothKernelModules) {
  const Tree tree("dual_socket");
  tree.write("/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build\n");
  EXPECT_EQ(machine_card(tree.root())["software"]["driver"], "560.35.03");
  EXPECT_EQ(machine_card(tree.root())["software"]["driver_flavour"], "open kernel module");
  tree.write("/proc/driver/nvidia/version", "NVRM version: nonsense\n");
  EXPECT_EQ(machine_card(tree.root())["software"]["driver"], nullptr);
  EXPECT_EQ(machine_card(tree.root())["software"]["driver_flavour"], nullptr);
  EXPECT_EQ(machine_card(tree.root(), {.driver = "535.54.03"})["software"]["driver"], "535.54.03");
  tree.write("/sys/module/nvidia/version", "580.65.06\n");
  EXPECT_EQ(machine_card(tree.root(), {.driver = "535.54.03"})["software"]["driver"], "580.65.06");
  EXPECT_EQ(machine_card(tree.root())["software"]["driver"], "580.65.06");
}

TEST(MachineCard, DoesNotTakeQuestionMarksForAUuid) {  // what the driver writes before the GPU is used first
  const Tree tree("dual_socket");
  std::string text = "Model: \t\t NVIDIA RTX A6000\nGPU UUID: \t GPU-xxxxxxxx-xxxx\nVideo BIOS: \t xx.xx\n";
  std::replace(text.begin(), text.end(), 'x', '?');
  tree.write("/proc/driver/nvidia/gpus/0000:17:00.0/information", text + "GPU Firmware: \t N/A\n");
  const json machine = machine_card(tree.root());
  const json& gpu = machine["nvidia"]["gpus"][0];
  EXPECT_EQ(gpu["name"], "NVIDIA RTX A6000");
  for (const json& unknown : {gpu["uuid"], gpu["board"]["vbios"], gpu["firmware"]}) EXPECT_EQ(unknown, nullptr);
  EXPECT_THAT(why(machine, "nvidia.gpus.0.uuid"), HasSubstr("information: does not say"));
}

TEST(MachineCard, HasAGpuThatTheDriverAloneLists) {
  const Tree tree("dual_socket");
  tree.remove("/sys/bus");
  const json machine = machine_card(tree.root());
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["pci"], "0000:17:00.0");
  EXPECT_EQ(machine["nvidia"]["gpus"][0]["name"], "NVIDIA RTX A6000");
  EXPECT_EQ(why(machine, "nvidia.gpus.0.device_id"), "/sys/bus: not there");
  EXPECT_THAT(unexplained(machine), IsEmpty());
}

TEST(MachineCard, CountsSwitches) {
  const Tree tree("dual_socket");
  EXPECT_EQ(machine_card(tree.root())["nvidia"]["switches"], json::array());
  tree.write("/sys/bus/pci/devices/0000:c1:00.0/vendor", "0x10de");
  tree.write("/sys/bus/pci/devices/0000:c1:00.0/class", "0x068000");
  EXPECT_EQ(machine_card(tree.root())["nvidia"]["switches"], json::parse(R"(["0000:c1:00.0"])"));
}

TEST(MachineCard, HasTheEnvironmentThatItIsGiven) {
  const MachineOptions options{.environment = [](const char* name) -> const char* {
    return std::string_view(name) == "CUDA_VISIBLE_DEVICES" ? "1" : nullptr;
  }};
  const json machine = machine_card(FileRoot(fixture_root("dual_socket")), options);
  EXPECT_EQ(machine["nvidia"]["environment"], json::parse(R"({"CUDA_VISIBLE_DEVICES":"1"})"));
}

TEST(WithoutHome, ReplacesWholeNamesOnly) {
  EXPECT_EQ(without_home("/home/someone/lib/a.so", "/home/someone"), "~/lib/a.so");
  EXPECT_EQ(without_home("run --out /home/someone --x /home/someone/b", "/home/someone/"), "run --out ~ --x ~/b");
  EXPECT_EQ(without_home("/home/someone.else/a", "/home/someone"), "/home/someone.else/a");
  EXPECT_EQ(without_home("/usr/lib", "/"), "/usr/lib");
  EXPECT_EQ(without_home("/usr/lib", ""), "/usr/lib");
  const char* const home = std::getenv("HOME");
  EXPECT_EQ(without_home("/home/someone/a"), without_home("/home/someone/a", home == nullptr ? "" : home));
}

}  // namespace
}  // namespace warpmark
