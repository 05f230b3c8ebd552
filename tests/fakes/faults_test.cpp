// SPDX-License-Identifier: Apache-2.0
// Every kind of fault that a scenario may have, and what the simulated driver answers to calls that are wrong.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/fakes/driver/library_work.h"
#include "tests/fakes/executor/sanitizers.h"
#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json with_fault(const json& fault) { return machine("h200", {{"faults", json::array({fault})}}); }

TEST(Faults, TheNthCallFailsAndOthersDoNot) {
  const Rig rig(with_fault({{"call", "cuMemAlloc"}, {"nth", 2}, {"code", 2}}));
  CUdeviceptr address = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&address, 16));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&address, 16));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&address, 16));
}

TEST(Faults, WithoutNthEveryCallFails) {
  const Rig rig(with_fault({{"call", "cuMemAlloc"}, {"code", 1}}));
  CUdeviceptr address = 0;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&address, 16));
}

TEST(Faults, ALostContextStaysLost) {
  Rig rig(with_fault({{"kernel", "test_flops"}, {"nth", 2}, {"code", 700}}));
  auto* const memory = rig.device_memory<int>(1);
  Rig::ok(rig.launch("test_flops", FlopParameters{}));
  Rig::ok(rig.wait());
  EXPECT_EQ(CUDA_SUCCESS, rig.launch("test_flops", FlopParameters{})) << "the error comes later";
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_ADDRESS, rig.wait());
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_ADDRESS, rig.wait());
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree(reinterpret_cast<CUdeviceptr>(memory)));
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_ADDRESS, rig.launch("test_flops", FlopParameters{}));
  int count = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetCount(&count)) << "this needs no context";
}

TEST(Faults, AnErrorThatDoesNotLastIsToldOnce) {
  Rig rig(with_fault({{"kernel", "test_flops"}, {"nth", 1}, {"code", 701}}));
  Rig::ok(rig.launch("test_flops", FlopParameters{}));
  EXPECT_EQ(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, rig.wait());
  EXPECT_EQ(CUDA_SUCCESS, rig.wait());
}

TEST(Faults, OneDeviceIsLostAndOthersAreNot) {
  Rig rig(machine("h100x8", {{"faults", json::array({{{"kernel", "test_flops"}, {"device", 3}, {"code", 719}}})}}));
  Rig::ok(rig.launch("test_flops", FlopParameters{}));
  EXPECT_EQ(CUDA_SUCCESS, rig.wait());
  rig.use(3);
  Rig::ok(rig.launch("test_flops", FlopParameters{}));
  EXPECT_EQ(CUDA_ERROR_LAUNCH_FAILED, rig.wait());
}

TEST(Faults, ASpoiledLaunchLeavesOneWrongElement) {
  constexpr std::size_t n = 101;
  Rig rig(with_fault({{"kernel", "test_copy"}, {"nth", 2}, {"spoil", true}}));
  const CopyParameters copy{.to = rig.device_memory<float>(n), .from = rig.device_memory<float>(n), .n = n};
  const std::vector<float> right(n, 0.5F);
  Rig::ok(cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(copy.from), right.data(), n * sizeof(float), rig.stream));
  const auto wrong_ones = [&] {
    std::vector<float> got(n);
    Rig::ok(rig.launch("test_copy", copy));
    Rig::ok(cuMemcpyDtoHAsync(got.data(), reinterpret_cast<CUdeviceptr>(copy.to), n * sizeof(float), rig.stream));
    return std::count_if(got.begin(), got.end(), [](float value) { return value != 0.5F; });
  };
  EXPECT_EQ(0, wrong_ones());
  EXPECT_EQ(1, wrong_ones());
  EXPECT_EQ(0, wrong_ones()) << "the next one is right again";
}

TEST(Faults, ALostDeviceStaysLostForLaterProcesses) {
  const std::string path = testing::TempDir() + "lost_scenario" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << with_fault({{"kernel", "test_flops"}, {"nth", 1}, {"lost", true}}).dump();
  Scenario scenario = read_scenario(path);
  {
    FaultPlan plan(scenario.faults, scenario.path);
    EXPECT_FALSE(plan.is_lost(0));
    const Fault* const fault = plan.of_kernel("test_flops", 0);
    ASSERT_NE(fault, nullptr);
    EXPECT_TRUE(fault->lost);
    plan.lose(0);
  }
  EXPECT_TRUE(FaultPlan(scenario.faults, scenario.path).is_lost(0));
  EXPECT_FALSE(FaultPlan(scenario.faults, scenario.path).is_lost(1));
  std::filesystem::remove(path + ".lost0");
  EXPECT_FALSE(FaultPlan(scenario.faults, scenario.path).is_lost(0));
}

TEST(FaultsDeathTest, ACallThatCrashesEndsTheProcess) {
  const Rig rig(with_fault({{"call", "cuMemAlloc"}, {"nth", 2}, {"crash", true}}));
  CUdeviceptr address = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&address, 16));
  EXPECT_EXIT((void)cuMemAlloc(&address, 16), testing::KilledBySignal(SIGSEGV), "");
}

TEST(Faults, AnAbsentFunctionIsNotFound) {
  const Rig rig(with_fault({{"call", "cuMemAlloc"}, {"absent", true}}));
  void* function = nullptr;
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuMemAlloc", &function, 12000, 0, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuGetProcAddress("cuMemFree", &function, 12000, 0, nullptr));
}

TEST(Faults, WhatAContextTakesAlongWasNotGivenBack) {
  {
    const Rig rig(machine("h200"));
    EXPECT_GT(cu_simulation_live_objects(), 0U);
  }
  Rig rig(machine("h200"));
  const std::size_t before = cu_simulation_live_objects();
  CUevent event = nullptr;
  Rig::ok(cuEventCreate(&event, 0));
  EXPECT_EQ(cu_simulation_live_objects(), before + 1);
  Rig::ok(cuEventDestroy(event));
  EXPECT_EQ(cu_simulation_live_objects(), before);
}

TEST(FaultsDeathTest, AKernelThatNeverEndsIsWaitedForForEver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Rig rig(with_fault({{"kernel", "test_flops"}, {"hang", true}}));
        Rig::ok(rig.launch("test_flops", FlopParameters{}));
        alarm(1);
        (void)rig.wait();
      },
      testing::KilledBySignal(SIGALRM), "");
}

#if defined(WARPMARK_UNDER_ASAN)
TEST(FaultsDeathTest, AKernelThatLeavesItsMemoryIsCaught) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Rig rig(machine("h200"));
  const CopyParameters copy{.to = rig.device_memory<float>(99), .from = rig.device_memory<float>(100), .n = 100};
  const auto run = [&] {
    Rig::ok(rig.launch("test_copy", copy));
    (void)rig.wait();
  };
  EXPECT_DEATH(run(), "heap-buffer-overflow");
}

TEST(FaultsDeathTest, TheSameKernelWithinItsMemoryIsNot) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    Rig rig(machine("h200"));
    Rig::ok(rig.launch(
        "test_copy",
        CopyParameters{.to = rig.device_memory<float>(100), .from = rig.device_memory<float>(100), .n = 100}));
    return rig.wait();
  };
  EXPECT_EXIT(std::exit(run()), testing::ExitedWithCode(0), "");
}

/// As a program would that ends without its context: what is left is everything that was not freed.
[[gnu::noinline]] void allocate(bool free) {
  const Rig rig(machine("h200"));
  for (int i = 0; i < 10; ++i) {
    CUdeviceptr address = 0;
    Rig::ok(cuMemAlloc(&address, 1000));
    if (free) Rig::ok(cuMemFree(address));
  }
  Rig::ok(cuDevicePrimaryCtxRelease(0));
}

TEST(FaultsDeathTest, DeviceMemoryThatNobodyFreesIsALeak) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT((allocate(false), std::exit(0)), testing::ExitedWithCode(1),
              "detected memory leaks(.|\n)*cuMemAlloc(.|\n)*10000 byte\\(s\\) leaked");
  EXPECT_EXIT((allocate(true), std::exit(0)), testing::ExitedWithCode(0), "");
}
#endif

TEST(Faults, ABarrierThatNotAllReachIsALaunchFailure) {
  Rig rig(machine("h200"));
  Rig::ok(rig.launch("test_stuck", FlopParameters{}));
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_ERROR_LAUNCH_FAILED, rig.wait());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("test_stuck: deadlock in block (0, 0, 0)"));
}

TEST(Faults, AKernelWithoutATwinIsNamed) {
  Rig rig(machine("h200"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_ERROR_NO_BINARY_FOR_GPU, rig.launch("test_unknown", FlopParameters{}));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no twin for the kernel test_unknown"));
}

TEST(Faults, WhatInitSaysIsTheScenarios) {
  for (const int code : {34, 36, 46, 100, 101, 802, 803, 804, 999}) {
    restart(parse_scenario(machine("h200", {{"init_code", code}}).dump(), "test"));
    EXPECT_EQ(code, static_cast<int>(cuInit(0)));
    int count = 0;
    EXPECT_EQ(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  }
}

TEST(Faults, WithoutADeviceThereIsNone) {
  restart(parse_scenario(machine("h200", {{"devices", json::array()}}).dump(), "test"));
  EXPECT_EQ(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

TEST(Faults, OthersMayHaveTakenTheMemory) {
  const Rig rig(machine("h200"));
  restart([] {
    Scenario scenario = parse_scenario(machine("h200").dump(), "test");
    scenario.devices[0].memory_free_bytes = 1000;
    return scenario;
  }());
  Rig::ok(cuInit(0));
  CUcontext context = nullptr;
  Rig::ok(cuDevicePrimaryCtxRetain(&context, 0));
  Rig::ok(cuCtxSetCurrent(context));
  CUdeviceptr address = 0;
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&address, 1001));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&address, 1000));
}

TEST(WrongCalls, ContextsAndHandlesHaveToBeSomebodys) {
  Rig rig(machine("h200"));
  CUevent event = nullptr;
  Rig::ok(cuEventCreate(&event, 0));
  Rig::ok(cuEventDestroy(event));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(event));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(nullptr));
  Rig::ok(cuDevicePrimaryCtxRelease(0));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, rig.wait());
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease(1));
}

TEST(WrongCalls, MemoryEndsWhereItEnds) {
  Rig rig(machine("h200"));
  const auto address = reinterpret_cast<CUdeviceptr>(rig.device_memory<char>(100));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD8Async(address + 50, 0, 50, rig.stream));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(address + 50, 0, 51, rig.stream));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemFree(address + 1));
}

TEST(WrongCalls, FunctionsThatThereAreNotAreNotFound) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult how{};
  EXPECT_EQ(CUDA_SUCCESS, cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &how));
  EXPECT_EQ(reinterpret_cast<void*>(&cuMemAlloc), function);
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuMemAllocate", &function, 12000, 0, &how));
  EXPECT_EQ(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, how);
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuLibraryLoadData", &function, 11080, 0, &how));
  EXPECT_EQ(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, how);
  EXPECT_EQ(nullptr, function);
}

TEST(VisibleDevices, AreThoseThatTheVariableNames) {
  const auto devices = parse_scenario(machine("h100x8").dump(), "test").devices;
  using Seen = std::vector<std::size_t>;
  EXPECT_EQ((Seen{2, 0}), visible_devices(devices, "2,0"));
  EXPECT_EQ((Seen{1}), visible_devices(devices, "1,8,2")) << "up to the first that there is not";
  EXPECT_EQ((Seen{3}), visible_devices(devices, devices[3].uuid));
  EXPECT_EQ((Seen{}), visible_devices(devices, ""));
  EXPECT_EQ((Seen{}), visible_devices(devices, "GPU-ffff"));
  EXPECT_EQ((Seen{}), visible_devices(devices, "one"));
}

}  // namespace
}  // namespace warpmark::fakes
