// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/cpu_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(CpuSampler, ReadsWhatTheMachineShows) {
  Tree tree;
  tree.write("/proc/stat", "cpu0 100 0 0 900 0 0 0 10 0 0\ncpu1 200 0 0 800 0 0 0 20 0 0\n");
  tree.write("/proc/loadavg", "1.25 0.50 0.10 2/80 11206\n");
  tree.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n");
  tree.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n");
  tree.write("/sys/class/hwmon/hwmon0/name", "nvme\n");
  tree.write("/sys/class/hwmon/hwmon0/temp1_input", "31000\n");
  tree.write("/sys/class/hwmon/hwmon1/name", "k10temp\n");
  tree.write("/sys/class/hwmon/hwmon1/temp1_input", "64500\n");
  tree.write("/sys/class/powercap/intel-rapl:0/energy_uj", "5000000\n");
  tree.write("/sys/class/powercap/intel-rapl:0:0/energy_uj", "4000000\n");
  CpuSampler sampler({0, 1}, FileRoot(tree.path()));
  const Reading first = sampler.read();
  EXPECT_EQ(first[Quantity::clock_hz], 2.5e9);
  EXPECT_EQ(first[Quantity::temperature_c], 64.5) << "of the CPU, not of the disk";
  EXPECT_EQ(first[Quantity::load], 1.25);
  EXPECT_EQ(first[Counter::energy_j], 5) << "the part is in the package's";
  EXPECT_DOUBLE_EQ(first[Counter::cpu_seconds], 20.3);
  EXPECT_DOUBLE_EQ(first[Counter::steal_seconds], 0.3);
  EXPECT_TRUE(std::isnan(first[Quantity::utilization])) << "of no time yet";
  EXPECT_TRUE(std::isnan(first[Quantity::power_w]));
  tree.write("/proc/stat", "cpu0 110 0 0 900 0 0 0 10 0 0\ncpu1 200 0 0 810 0 0 0 20 0 0\n");
  tree.write("/sys/class/powercap/intel-rapl:0/energy_uj", "6000000\n");
  const Reading second = sampler.read();
  EXPECT_DOUBLE_EQ(second[Quantity::utilization], 0.5);
  EXPECT_NEAR(second[Quantity::power_w] * (second.at_seconds - first.at_seconds), 1, 1e-6);
  EXPECT_TRUE(sampler.denied().empty());
}

TEST(CpuSampler, SaysWhatIsNotThere) {
  Tree tree;
  tree.write("/proc/stat", "nonsense\n");
  CpuSampler sampler({0}, FileRoot(tree.path()));
  const Reading reading = sampler.read();
  for (const double value : reading.values) EXPECT_TRUE(std::isnan(value));
  for (const double value : reading.counted) EXPECT_TRUE(std::isnan(value));
  EXPECT_THAT(sampler.denied(), ElementsAre(Field(&Denied::what, "clock_hz"), Field(&Denied::what, "temperature_c"),
                                            Field(&Denied::what, "power_w")));
}

TEST(CpuSampler, ReadsTheClocksOfAFewCoresOfMany) {
  Tree tree;
  std::vector<int> cpus;
  for (int cpu = 0; cpu < 256; ++cpu) {
    cpus.push_back(cpu);
    const std::string khz = cpu % 32 == 0 ? "2000000\n" : "9000000\n";
    tree.write("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq", khz);
  }
  CpuSampler sampler(cpus, FileRoot(tree.path()));
  EXPECT_EQ(sampler.read()[Quantity::clock_hz], 2e9);
}

}  // namespace
}  // namespace warpmark
