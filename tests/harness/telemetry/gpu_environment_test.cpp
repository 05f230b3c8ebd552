// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpu_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

EnvironmentLookup environment_of(const std::map<std::string, std::string>& values) {
  return [values](const char* name) {
    static std::string last;
    const auto value = values.find(name);
    if (value == values.end()) return static_cast<const char*>(nullptr);
    last = value->second;
    return last.c_str();
  };
}

TEST(GpuEnvironment, HasNamesOfItsListAlone) {
  EXPECT_EQ(gpu_environment(environment_of({{"CUDA_VISIBLE_DEVICES", "GPU-5eeef400,1"},
                                            {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
                                            {"CUDA_MPS_PIPE_DIRECTORY", "/home/someone/mps"},
                                            {"AWS_SECRET_ACCESS_KEY", "x"}})),
            json({{"CUDA_VISIBLE_DEVICES", "GPU-5eeef400,1"},
                  {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
                  {"CUDA_MPS_PIPE_DIRECTORY", "(set)"}}));
  EXPECT_EQ(gpu_environment(environment_of({})), json::object());
  EXPECT_EQ(gpu_environment({}), std::nullopt);
}

TEST(GpuEnvironment, KeepsAValueThatIsNoPlainWordToItself) {
  for (const std::string& value :
       {std::string("/home/someone"), std::string("a b"), std::string("\x1b[2J"), std::string(2000, 'x')})
    EXPECT_EQ((*gpu_environment(environment_of({{"CUDA_VISIBLE_DEVICES", value}})))["CUDA_VISIBLE_DEVICES"], "(set)");
  EXPECT_EQ((*gpu_environment(environment_of({{"CUDA_VISIBLE_DEVICES", ""}})))["CUDA_VISIBLE_DEVICES"], "");
}

TEST(Slicing, IsSeenByWhatIsPreloadedAndByItsLimits) {
  const Tree tree;
  EXPECT_THAT(slicing_evidence(tree.root(), environment_of({})), IsEmpty());
  tree.write("/etc/ld.so.preload", "/usr/local/vgpu/libvgpu.so\n");
  tree.write("/proc/self/maps", "7f00-7f01 r-xp 0 08:01 1 /usr/local/vgpu/libvgpu.so\n");
  EXPECT_THAT(slicing_evidence(tree.root(), {}),
              ElementsAre("/etc/ld.so.preload has libvgpu.so", "/proc/self/maps has libvgpu.so"));
  tree.remove("/etc");
  tree.remove("/proc");
  EXPECT_THAT(
      slicing_evidence(tree.root(), environment_of({{"LD_PRELOAD", "/home/someone/libnvshare.so"},
                                                    {"CUDA_DEVICE_MEMORY_LIMIT_0", "4096m"},
                                                    {"CUDA_DEVICE_SM_LIMIT", "/home/someone"}})),
      ElementsAre("LD_PRELOAD has libnvshare.so", "CUDA_DEVICE_SM_LIMIT=(set)", "CUDA_DEVICE_MEMORY_LIMIT_0=4096m"));
  const std::string scratch = "/tmp", shared = scratch + "/cudevshr.cache";
  tree.write(shared, "");
  EXPECT_THAT(slicing_evidence(tree.root(), {}), ElementsAre(shared + " is there"));
}

TEST(Slicing, IsNotAnyLibraryThatIsPreloaded) {
  const Tree tree;
  tree.write("/etc/ld.so.preload", "/usr/lib/libjemalloc.so.2\n");
  EXPECT_THAT(slicing_evidence(tree.root(), environment_of({{"LD_PRELOAD", "/usr/lib/libtcmalloc.so.4"}})), IsEmpty());
}

}  // namespace
}  // namespace warpmark
