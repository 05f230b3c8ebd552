// SPDX-License-Identifier: Apache-2.0
// What the program takes for granted of the driver's answers to calls that are wrong.
#include <array>
#include <thread>

#include "tests/contract/contract.h"

namespace warpmark::cuda {
namespace {

TEST_F(Contract, ErrorsHaveNames) {
  const char* name = nullptr;
  EXPECT_CODE(CUDA_SUCCESS, d().GetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &name));
  EXPECT_STREQ("CUDA_ERROR_OUT_OF_MEMORY", name);
  EXPECT_CODE(CUDA_SUCCESS, d().GetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &name));
  EXPECT_STREQ("out of memory", name);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().GetErrorName(static_cast<CUresult>(998), &name));
}

TEST_F(Contract, ADeviceThatThereIsNotIsRefused) {
  int count = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().DeviceGetCount(&count));
  EXPECT_GT(count, 0);
  CUdevice device = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_DEVICE, d().DeviceGet(&device, count));
  EXPECT_CODE(CUDA_ERROR_INVALID_DEVICE, d().DeviceGet(&device, -1));
}

TEST_F(Contract, AnAttributeThatThereIsNotIsRefused) {
  int value = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(255), device_));
}

TEST_F(Contract, AThreadHasNoContextUntilItSetsOne) {
  CUresult without = CUDA_SUCCESS;
  CUresult with = CUDA_ERROR_UNKNOWN;
  std::thread([&] {
    CUdeviceptr address = 0;
    without = d().MemAlloc(&address, 256);
    with = d().CtxSetCurrent(context_);
    if (with == CUDA_SUCCESS) with = d().MemAlloc(&address, 256);
    if (with == CUDA_SUCCESS) with = d().MemFree(address);
  }).join();
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, without);
  EXPECT_EQ(CUDA_SUCCESS, with);
}

TEST_F(Contract, NothingAndTooMuchCannotBeAllocated) {
  CUdeviceptr address = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().MemAlloc(&address, 0));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().MemAlloc(nullptr, 256));
  std::size_t total = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().DeviceTotalMem(&total, device_));
  EXPECT_CODE(CUDA_ERROR_OUT_OF_MEMORY, d().MemAlloc(&address, 2 * total));
  const DeviceBytes later(256);  // the error was of that call alone
}

TEST_F(Contract, CopiesToNobodysMemoryAreRefused) {
  std::array<char, 64> host{};
  constexpr CUdeviceptr nobodys = 4096;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().MemcpyHtoDAsync(nobodys, host.data(), host.size(), stream_));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().MemcpyDtoHAsync(host.data(), nobodys, host.size(), stream_));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, d().MemsetD8Async(nobodys, 1, host.size(), stream_));
  wait();
}

TEST_F(Contract, AnEventThatWasNotRecordedMeasuresNothing) {
  const TimedEvent recorded;
  const TimedEvent other;
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(recorded.handle(), stream_));
  wait();
  float milliseconds = 0;
  EXPECT_CODE(CUDA_ERROR_INVALID_HANDLE, d().EventElapsedTime(&milliseconds, recorded.handle(), other.handle()));
}

TEST_F(Contract, AKernelThatThereIsNotIsNotFound) {
  for (const embedded::File& file : embedded::stream_kernels_code()) {
    CUlibrary library = nullptr;
    if (d().LibraryLoadData(&library, file.text.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) != CUDA_SUCCESS)
      continue;
    CUkernel kernel = nullptr;
    EXPECT_CODE(CUDA_ERROR_NOT_FOUND, d().LibraryGetKernel(&kernel, library, "no_such_kernel")) << file.name;
    return;
  }
  FAIL() << "no image could be loaded";
}

TEST_F(Contract, GridsThatCannotBeAreRefused) {
  PinnedBytes shared(sizeof(ClockReading));
  const ClockParameters parameters{.reading = shared.device<ClockReading>(), .least_ns = 1000};
  CUkernel clock = kernel("stream_clock");
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(clock, parameters, 0, 1));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(clock, parameters, 1, 0));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, launch(clock, parameters, 1, 1025));
  wait();
  EXPECT_EQ(0U, shared.host<ClockReading>()->clocks);
}

}  // namespace
}  // namespace warpmark::cuda
