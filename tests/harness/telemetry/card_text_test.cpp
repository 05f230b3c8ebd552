// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/card_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/printable.h"
#include "harness/telemetry/denied_text.h"
#include "harness/telemetry/gpus.h"
#include "harness/telemetry/machine.h"
#include "harness/telemetry/nvml/card.h"
#include "tests/harness/telemetry/nvml/cards.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const json no_devices = json::array();

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

/// The CPU of that machine.
json cloud_devices() {
  return json::parse(R"([{"id":"cpu:0","backend":"cpu","name":"AMD EPYC 7R32","units":2,
    "memory_bytes":6442450944,"last_level_cache_bytes":8388608,"max_clock_hz":null,
    "ceilings":{"f32_fma":{"value":2.1e11,"unit":"FLOP/s","kind":"measured","derivation":"best of 8 probes"},
                "memory_bandwidth":{"value":null,"unit":"B/s","kind":"unknown","derivation":"memory type, clock and channels cannot be read, so there is no peak"}}}])");
}

constexpr const char* cloud_card = R"(Machine
  Host          rented-1
  System        Ubuntu 22.04.4 LTS, Linux 6.5.0-1017-aws, x86_64, up 26.1 h, load 0.08
  Platform      aws g5.xlarge, kvm virtual machine, docker container
  CPU           AMD EPYC 7R32, 1 socket, 2 cores, 4 threads, 1 NUMA node
  Clock         unknown
  Caches        L1d 2 x 32 KiB, L2 2 x 512 KiB, L3 1 x 8 MiB
  Instructions  sse4_2 avx f16c fma avx2
  Memory        15.4 GiB, 14.5 GiB available, transparent huge pages: madvise
  Limits        CPU quota 2.5 cores (throttled in 3 of 120 periods),
                memory limit 8 GiB (6 GiB left), CPUs 0-3
  NVIDIA GPU    1 x device id 0x2237
  GPU nodes     none: no program can open a GPU here
  GPU driver    none loaded

GPU at 0000:00:1e.0: device id 0x2237
  PCI           0000:00:1e.0, UUID unknown
  Board         device id 0x2237, kernel driver none
  PCIe link     gen 4 x8 now, gen 4 x16 at most

Devices
  cpu:0         AMD EPYC 7R32, 2 cores, 6 GiB, last-level cache 8 MiB
                  f32_fma           210 GFLOP/s     best of 8 probes
                  memory_bandwidth  unknown         memory type, clock and channels cannot be read,
                                                    so there is no peak

Not known (13)
  /sys/devices/system/cpu/cpu0/cpufreq: not there
      cpu.clock_hz, cpu.max_clock_hz, cpu.governor
  /sys/firmware: not there
      memory.slots, memory.modules
  /proc/driver: not there
      software.driver, software.driver_flavour
      nvidia.gpus.0: name, uuid, board.vbios, firmware
  /sys/bus/pci/devices/0000:00:1e.0/numa_node: not there
      nvidia.gpus.0: numa_node
  a copied tree does not tell what is set on its machine
      nvidia.environment
)";

TEST(CardText, OfACloudMachine) {
  EXPECT_EQ(card_text(machine_card(FileRoot(fixture_root("cloud_gpu_no_driver")), {.host_label = "rented-1"}),
                      cloud_devices()),
            cloud_card);
}

TEST(CardText, OfAMachineWhoseDriverIsBroken) {
  json machine = machine_card(FileRoot(fixture_root("dual_socket")));
  add_nvml(machine,
           nvml::card_without_answers("NVML: library and kernel driver are of different versions (nvmlInit_v2 18); "
                                      "restart the machine"));
  const std::string text = card_text(machine, no_devices);
  EXPECT_EQ(text.substr(text.find("  NVIDIA GPU")), R"(  NVIDIA GPU    1 x NVIDIA RTX A6000
  GPU nodes     /dev/nvidia0
  GPU driver    535.104.05, proprietary, NVML: library and kernel driver are of different versions
                (nvmlInit_v2 18); restart the machine

GPU at 0000:17:00.0: NVIDIA RTX A6000
  PCI           0000:17:00.0, GPU-5b7e0d4c-9a61-4f0e-8c1d-3e2f7a90b6d8
  Board         device id 0x2230, kernel driver nvidia, VBIOS 94.02.5c.00.03
  PCIe link     gen 1 x16 now (idle links train down), gen 4 x16 at most

Not known (36)
  /proc/sys/kernel/arch: not there
      os.arch
  /sys/firmware: not there
      memory.slots, memory.modules
  no known provider in DMI (Supermicro, SYS-420GP-TNR)
      cloud.provider, cloud.instance_type
  /sys/bus/pci/devices/0000:17:00.0/numa_node: not there
      nvidia.gpus.0: numa_node
  a copied tree does not tell what is set on its machine
      nvidia.environment
  NVML: library and kernel driver are of different versions (nvmlInit_v2 18); restart the machine
      nvidia.nvml.path, nvidia.nvml.version, nvidia.nvml.driver_version, nvidia.nvml.cuda_version
      nvidia.gpus.0: index, pci_ids, compute_capability, cuda_cores, memory, ecc, remapped_rows,
      power, clocks, temperature, mig, virtualization, persistence, compute_mode, performance_state,
      utilization, nvlink, peers, processes, board.id, board.part_number, link.generation,
      link.max_generation, link.max_width, link.gpu_max_generation
)");
}

TEST(CardText, OfAMachineWithoutAGpuMissesNothingOfItsDriver) {
  const Tree tree("dual_socket");
  for (const char* part : {"/sys/bus", "/dev", "/proc/driver"}) tree.remove(part);
  tree.folder("/dev");
  json machine = machine_card(tree.root());
  add_nvml(machine, nvml::card_without_answers("no libnvidia-ml.so.1 was found"));
  EXPECT_THAT(card_text(machine, no_devices), HasSubstr("  NVIDIA GPU    none\n"));
  EXPECT_THAT(card_text(machine, no_devices), Not(HasSubstr("libnvidia-ml")));
  machine["nvidia"]["present"] = true;  // that the check can fail
  EXPECT_THAT(card_text(machine, no_devices), HasSubstr("libnvidia-ml"));
}

TEST(CardText, ShowsWhatStandsBetweenAProgramAndItsGpus) {
  json machine = nvml::machine_of(nvml::eight_h100());
  machine["nvidia"]["switches"] = json::parse(R"(["0000:c1:00.0","0000:c2:00.0"])");
  machine["nvidia"]["slicing"] = json::parse(R"(["LD_PRELOAD has libvgpu.so"])");
  machine["nvidia"]["environment"] = json::parse(R"({"CUDA_VISIBLE_DEVICES":"0,1"})");
  machine["software"]["libraries"] = json::parse(R"([{"name":"cublasLt","version":"13.0.2.14","supported":true},
    {"name":"cublasLt","version":"12.4.5.8","supported":true},{"name":"nccl","version":null,"supported":null,"why":"?"},
    {"name":"cupti","version":"13.0","supported":false,"why":"CUDA 13 needs driver R580 or later"}])");
  const std::string text = card_text(machine, no_devices);
  EXPECT_THAT(text, HasSubstr("  NVIDIA GPU    8 x NVIDIA H100 80GB HBM3\n"));
  EXPECT_THAT(text, HasSubstr("  GPU driver    580.65.06, open kernel module, CUDA 13.0 at most\n"));
  EXPECT_THAT(text, HasSubstr("  NVSwitches    2: NVLink needs the driver's fabric manager\n"));
  EXPECT_THAT(text, HasSubstr("  CUDA files    cublasLt 13.0.2.14, nccl of unknown version,\n"
                              "                cupti 13.0 (CUDA 13 needs driver R580 or later)\n"));
  EXPECT_THAT(text, HasSubstr("  GPU sliced    LD_PRELOAD has libvgpu.so\n"));
  EXPECT_THAT(text, HasSubstr("  GPU settings  CUDA_VISIBLE_DEVICES=0,1\n"));
}

TEST(DeniedBlock, HasFactsOfAlikeGpusOnce) {
  json denied = json::array();
  for (const char* gpu : {"0", "1", "2", "5"}) {
    denied.push_back({{"what", std::string("nvidia.gpus.") + gpu + ".ecc"},
                      {"why", "NVML: not supported by this GPU or its mode (nvmlDeviceGetEccMode 3)"}});
    denied.push_back({{"what", std::string("nvidia.gpus.") + gpu + ".mig"},
                      {"why", "NVML: not supported by this GPU or its mode (nvmlDeviceGetMigMode 3)"}});
  }
  denied.push_back({{"what", "nvidia.gpus.5.board.vbios"}, {"why", "refused (by hand)"}});
  EXPECT_EQ(denied_block(denied, 100), R"(
Not known (9)
  NVML: not supported by this GPU or its mode
      nvidia.gpus.0-2,5: ecc, mig
  refused (by hand)
      nvidia.gpus.5: board.vbios
)");
}

TEST(CardText, SaysUnknownNeverNoneWhereNothingCanBeRead) {
  const std::string text = card_text(machine_card(FileRoot(fixture_root("nothing_readable"))), no_devices);
  EXPECT_THAT(text, HasSubstr("  NVIDIA GPU    unknown\n"));
  EXPECT_THAT(text, HasSubstr("CPU quota unknown, memory limit unknown, CPUs unknown"));
  EXPECT_THAT(text, HasSubstr("hypervisor unknown, container unknown"));
  EXPECT_THAT(text, Not(HasSubstr("none")));
  EXPECT_THAT(text, Not(HasSubstr("Devices")));
}

TEST(CardText, SaysWhatEachSourceSawOfAGpuThatOnlyTheDriverFinds) {
  const json gpus{{{"id", "cpu:0"}, {"backend", "cpu"}}, {{"id", "cuda:0"}, {"backend", "cuda"}}};
  json machine = machine_card(FileRoot(fixture_root("dual_socket")));
  machine["nvidia"] = {{"present", false}, {"evidence", "nothing to be seen"}};
  EXPECT_THAT(card_text(machine, no_devices), HasSubstr("  NVIDIA GPU    none\n"));
  EXPECT_THAT(card_text(machine, gpus, 200),
              HasSubstr("  NVIDIA GPU    cuda:0 by the driver's library, none by the system's "
                        "files (nothing to be seen)\n"));
  machine["nvidia"]["present"] = nullptr;
  EXPECT_THAT(card_text(machine, gpus, 200),
              HasSubstr("cuda:0 by the driver's library, unknown by the system's files ("));
}

TEST(CardText, ShowsMemoryModules) {
  json machine = machine_card(FileRoot(fixture_root("dual_socket")));
  machine["memory"]["modules"] =
      json::parse(R"([{"count":16,"bytes":34359738368,"type":"DDR4","transfers_per_second_set":3200000000}])");
  EXPECT_THAT(card_text(machine, no_devices), HasSubstr("16 x 32 GiB DDR4 at 3200 MT/s"));
}

TEST(CardText, NeverSendsANameToTheTerminal) {
  const Tree tree("cloud_gpu_no_driver");
  const std::string hostile =
      "\x1b]0;owned\x07\x1b[31mEPYC\r\xc2\x9b"
      "2J\x7f caf\xc3\xa9";
  tree.write("/proc/cpuinfo", "model name\t: " + hostile + "\nflags\t: avx2\n");
  tree.write("/sys/class/dmi/id/product_name", hostile);
  tree.write("/etc/os-release", "PRETTY_NAME=\"" + hostile + "\"");
  const json devices{{{"id", hostile}, {"name", hostile}, {"ceilings", {{hostile, {{"derivation", hostile}}}}}}};
  const std::string text = card_text(machine_card(tree.root()), devices);
  EXPECT_TRUE(is_plain(text)) << text;
  EXPECT_THAT(text, HasSubstr("\\x1b[31mEPYC"));
  EXPECT_FALSE(is_plain(hostile));  // that the check can fail
}

TEST(CardText, TakesAnyJson) {
  for (const char* text :
       {"null", "7", "\"x\"", "[]", "{}", "[[1]]", R"({"cpu":7,"load":"x","denied":[1],"memory":[]})",
        R"({"cpu":{"caches":3,"instruction_sets":{"a":1}},"nvidia":{"present":true,"gpus":7}})"}) {
    const json any = json::parse(text);
    EXPECT_TRUE(is_plain(card_text(any, any))) << text;
  }
}

TEST(Printable, EscapesBytesAndCutsPages) {
  EXPECT_EQ(printable("plain ~ text"), "plain ~ text");
  EXPECT_EQ(printable("a\nb\\c\xff"), "a\\x0ab\\\\c\\xff");
  EXPECT_EQ(printable(std::string(1 << 20, 'x')).size(), 243U);
}

}  // namespace
}  // namespace warpmark
