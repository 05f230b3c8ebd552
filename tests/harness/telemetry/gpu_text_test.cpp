// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpu_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "harness/telemetry/gpu_facts.h"
#include "tests/harness/telemetry/nvml/cards.h"

namespace warpmark {
namespace {

using nlohmann::json;
using nvml::h200;
using nvml::machine_of;
using nvml::rtx4090;
using nvml::with;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string blocks(const json& gpus, std::size_t columns = 100) { return gpu_blocks(machine_of(gpus), columns); }

json one(const json& gpu) { return json::array({gpu}); }

TEST(GpuText, OfAnH200) {
  EXPECT_EQ(blocks(one(h200())), R"(
GPU 0: NVIDIA H200
  PCI           0000:1b:00.0, NUMA node 0, GPU-11111111-2222-3333-4444-555555555555
  Board         device id 0x2335, part number 692-2G520-0280-501, VBIOS 96.00.BC.00.01,
                compute capability 9.0, 16896 CUDA cores
  Memory        140 GiB, 605 MiB reserved by the driver, 140 GiB usable, 6144 bits wide
  ECC           on, no errors since the driver was loaded, no remapped rows
  Power         76 W now, limit 700 W (its default), 200 W to 700 W can be set
  Clocks        SM 345 MHz now, 1.98 GHz at most, memory 3.20 GHz at most
  Temperature   28 C now, slows down at 87 C
  PCIe link     gen 1 x16 now (idle links train down), gen 5 x16 at most
  MIG           off
  Mode          passed through to a virtual machine, persistence on, compute mode default
  NVLink        18 of 18 links up, version 4
  Use           605 MiB of memory, 0 % busy at one look, no processes
)");
}

TEST(GpuText, OfEightAlikeIsOneBlock) {
  EXPECT_EQ(blocks(nvml::eight_h100()), R"(
GPUs 0-7: 8 x NVIDIA H100 80GB HBM3, identical but for UUID, PCI address
  Board         device id 0x2330, part number 692-2G520-0280-501, VBIOS 96.00.BC.00.01,
                compute capability 9.0, 16896 CUDA cores
  Memory        79.6 GiB, 584 MiB reserved by the driver, 79.1 GiB usable, 5120 bits wide
  ECC           on, no errors since the driver was loaded, no remapped rows
  Power         70 W to 77 W now, limit 700 W (its default), 200 W to 700 W can be set
  Clocks        SM 345 MHz now, 1.98 GHz at most, memory 3.20 GHz at most
  Temperature   28 C now, slows down at 87 C
  PCIe link     gen 1 x16 now (idle links train down), gen 5 x16 at most
  MIG           off
  Mode          passed through to a virtual machine, persistence on, compute mode default
  NVLink        18 of 18 links up, version 4
  Other GPUs    3 within its NUMA node, 4 across NUMA nodes
  Use           584 MiB of memory, 0 % busy at one look, no processes
  GPU 0         0000:1b:00.0, NUMA node 0, GPU-00000000-2222-3333-4444-555555555555
  GPU 1         0000:2b:00.0, NUMA node 0, GPU-00000001-2222-3333-4444-555555555555
  GPU 2         0000:3b:00.0, NUMA node 0, GPU-00000002-2222-3333-4444-555555555555
  GPU 3         0000:4b:00.0, NUMA node 0, GPU-00000003-2222-3333-4444-555555555555
  GPU 4         0000:5b:00.0, NUMA node 1, GPU-00000004-2222-3333-4444-555555555555
  GPU 5         0000:6b:00.0, NUMA node 1, GPU-00000005-2222-3333-4444-555555555555
  GPU 6         0000:7b:00.0, NUMA node 1, GPU-00000006-2222-3333-4444-555555555555
  GPU 7         0000:8b:00.0, NUMA node 1, GPU-00000007-2222-3333-4444-555555555555
)");
}

TEST(GpuText, OfEightWithOneThatDiffersNamesIt) {
  json gpus = nvml::eight_h100();
  gpus[7] = with(gpus[7], {{"/power/limit_w", 560.0}, {"/power/enforced_limit_w", 560.0}, {"/ecc/uncorrected", 2}});
  const std::string text = blocks(gpus);
  EXPECT_THAT(text, HasSubstr("identical but for UUID, PCI address, ECC, Power"));
  EXPECT_THAT(text, HasSubstr("  Power         GPUs 0-6: 70 W to 76 W now, limit 700 W (its default)"));
  EXPECT_THAT(text, HasSubstr("  Power         GPU 7: 77 W now, limit 560 W (20 % below its default of 700 W)"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "  Look at       GPU 7: power limit 20 % below its default;\n                uncorrected memory errors"));
}

TEST(GpuText, OfADividedGpu) {
  EXPECT_EQ(blocks(one(nvml::divided_h100())), R"(
GPU 0: NVIDIA H100 80GB HBM3
  PCI           0000:1b:00.0, NUMA node 0, GPU-11111111-2222-3333-4444-555555555555
  Board         device id 0x2335, part number 692-2G520-0280-501, VBIOS 96.00.BC.00.01,
                compute capability 9.0
  Memory        79.6 GiB, 584 MiB reserved by the driver, 79.1 GiB usable, 5120 bits wide
  ECC           on, no errors since the driver was loaded
  Power         76 W now, limit 700 W (its default), 200 W to 700 W can be set
  Clocks        SM 345 MHz now, 1.98 GHz at most, memory 3.20 GHz at most
  Temperature   28 C now, slows down at 87 C
  PCIe link     gen 1 x16 now (idle links train down), gen 5 x16 at most
  MIG           on, 2 instances, 60 SMs with 39.5 GiB, 16 SMs with 9.62 GiB
  Mode          passed through to a virtual machine, persistence on, compute mode default
  Use           584 MiB of memory, no processes
)");
}

TEST(GpuText, OfAGeForceLeavesOutWhatItHasNotByNature) {
  const std::string text = blocks(one(rtx4090()));
  EXPECT_EQ(text, R"(
GPU 0: NVIDIA GeForce RTX 4090
  PCI           0000:01:00.0, NUMA node 0, GPU-11111111-2222-3333-4444-555555555555
  Board         device id 0x2684, VBIOS 95.02.18.80.5F, compute capability 8.9, 16384 CUDA cores
  Memory        24 GiB, 344 MiB reserved by the driver, 23.7 GiB usable, 384 bits wide
  Power         17 W now, limit 450 W (its default), 150 W to 600 W can be set
  Clocks        SM 210 MHz now, 3.10 GHz at most, memory 10.5 GHz at most
  Temperature   28 C now, slows down at 87 C
  PCIe link     gen 1 x16 now (idle links train down), gen 4 x16 at most
  Mode          not virtual, persistence off, compute mode default
  Use           536 MiB of memory, 0 % busy at one look, no processes
)");
}

TEST(GpuText, FitsANarrowScreen) {
  std::istringstream lines(blocks(one(h200()), 40));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 46U) << line;  // a UUID does not break
  EXPECT_THAT(blocks(one(h200()), 40), HasSubstr("  Power\n      76 W now,\n      limit 700 W (its default),\n"));
}

TEST(GpuText, KnowsGenerationsByTheSystemsFilesToo) {
  json machine = machine_of(json::array());
  machine["nvidia"]["gpus"] = json::parse(R"([{"pci":"0000:00:1e.0","device_id":"0x2237","driver":"none",
    "link":{"transfers_per_second":8e9,"width":8},"link_max":{"transfers_per_second":16e9,"width":16}}])");
  const std::string text = gpu_blocks(machine, 100);
  EXPECT_THAT(text, HasSubstr("GPU at 0000:00:1e.0: device id 0x2237\n"));
  EXPECT_THAT(text, HasSubstr("  PCIe link     gen 3 x8 now (idle links train down), gen 4 x16 at most\n"));
}

TEST(GpuText, TakesAnyJson) {
  for (const char* text :
       {"7", "[]", R"([7,null,"x",[]])", R"([{"name":7,"mig":[],"peers":7,"ecc":{"on":"x"},"index":1e99}])",
        R"([{"mig":{"on":true,"instances":7}}])", R"([{"index":-1},{"index":2.5}])"}) {
    json machine{{"nvidia", {{"present", true}, {"gpus", json::parse(text)}, {"environment", 3}}}};
    EXPECT_NO_THROW((void)gpu_blocks(machine, 100)) << text;
    shown::Rows rows(100);
    EXPECT_NO_THROW(add_nvidia_rows(rows, machine, 7)) << text;
  }
}

TEST(Conspicuous, IsWhatARenterShouldKnow) {
  const auto of = [](std::initializer_list<std::pair<const char*, json>> changes) {
    return conspicuous(with(h200(), changes));
  };
  EXPECT_THAT(of({{"/power/limit_w", 616.0}}), ElementsAre("power limit 12 % below its default"));
  EXPECT_THAT(of({{"/ecc/uncorrected", 1}}), ElementsAre(HasSubstr("uncorrected memory errors")));
  EXPECT_THAT(of({{"/remapped_rows/pending", true}}), ElementsAre(HasSubstr("waits to be remapped")));
  EXPECT_THAT(of({{"/remapped_rows/failed", true}}), ElementsAre(HasSubstr("could not be remapped")));
  EXPECT_THAT(of({{"/mig/on", true}}), ElementsAre(HasSubstr("no instances")));
  EXPECT_THAT(of({{"/compute_mode", "prohibited"}}), ElementsAre(HasSubstr("no program can use it")));
  EXPECT_THAT(of({{"/virtualization", "vgpu"}}), ElementsAre(HasSubstr("vGPU")));
  EXPECT_THAT(of({{"/processes/count", 1}}), ElementsAre("other programs are using it"));
}

// False alarms that were seen elsewhere. What they show is said, and nothing more.

TEST(Conspicuous, IsNotAGpuThatIsWell) {
  EXPECT_THAT(conspicuous(h200()), IsEmpty());
  EXPECT_THAT(conspicuous(rtx4090()), IsEmpty());
  EXPECT_THAT(conspicuous(nvml::divided_h100()), IsEmpty());
  EXPECT_THAT(blocks(one(h200())), Not(HasSubstr("Look at")));
}

TEST(Conspicuous, IsNotALinkThatTrainedDownWhileIdle) {
  const json gpu = with(rtx4090(), {{"/link/generation", 1}});
  EXPECT_THAT(conspicuous(gpu), IsEmpty());
  EXPECT_THAT(blocks(one(gpu)), HasSubstr("gen 1 x16 now (idle links train down), gen 4 x16 at most"));
  EXPECT_THAT(blocks(one(with(gpu, {{"/link/generation", 4}}))), Not(HasSubstr("train down")));
}

TEST(Conspicuous, IsNotANarrowLinkOfAGpuThatIsPassedThrough) {
  const json gpu = with(h200(), {{"/link/generation", 5}, {"/link/width", 8}, {"/link/max_width", 16}});
  EXPECT_THAT(conspicuous(gpu), IsEmpty());
  EXPECT_THAT(blocks(one(gpu)), HasSubstr("gen 5 x8 now, gen 5 x16 at most"));
}

TEST(Conspicuous, IsNotACountOfLongAgo) {
  const json gpu =
      with(h200(), {{"/ecc/corrected_ever", 120}, {"/ecc/uncorrected_ever", 2}, {"/remapped_rows/uncorrected", 1}});
  EXPECT_THAT(conspicuous(gpu), IsEmpty());
  EXPECT_THAT(blocks(one(gpu)), HasSubstr("no errors since the driver was loaded, 120 and 2 ever, 1 remapped row"));
}

TEST(Conspicuous, IsNotAFieldThatTheDriverHasDeprecated) {
  const json gpu = with(h200(), {{"/clocks/application_sm_hz", nullptr}, {"/link/max_generation", nullptr}});
  EXPECT_THAT(conspicuous(gpu), IsEmpty());
  EXPECT_THAT(blocks(one(gpu)), Not(HasSubstr("application clock")));
  EXPECT_THAT(blocks(one(gpu)), HasSubstr("gen 1 x16 now, gen ? x16 at most"));
}

TEST(Conspicuous, IsNotErrorCorrectionThatTheOwnerTurnedOff) {
  const json off = with(
      h200(),
      {{"/ecc/on", false}, {"/ecc/after_restart", false}, {"/ecc/corrected", nullptr}, {"/ecc/uncorrected", nullptr}});
  EXPECT_THAT(conspicuous(off), IsEmpty());
  EXPECT_THAT(blocks(one(off)), HasSubstr("  ECC           off"));
  EXPECT_THAT(blocks(one(rtx4090())), Not(HasSubstr("ECC")));
}

TEST(Conspicuous, IsNotOneLookAtTheUtilization) {
  const json gpu = with(h200(), {{"/utilization/gpu", 1.0}, {"/power/draw_w", 145.0}});
  EXPECT_THAT(conspicuous(gpu), IsEmpty());
  EXPECT_THAT(blocks(one(gpu)), HasSubstr("100 % busy at one look"));
}

}  // namespace
}  // namespace warpmark
