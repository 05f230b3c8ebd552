// SPDX-License-Identifier: Apache-2.0
// The driver that is there, on its first device, as the contract's tests use it.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "embedded/stream_kernels_code.h"
#include "harness/backends/cuda/driver.h"
#include "harness/backends/cuda/stream_kernels.h"

namespace warpmark::cuda {

/// Calls of the driver, by the product's own table.
inline const Driver& d() { return open_driver().driver; }

#define EXPECT_CODE(expected, call) EXPECT_EQ(expected, call) << #call

/// Memory of the device that goes with the object.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t bytes) : bytes_(bytes) { EXPECT_CODE(CUDA_SUCCESS, d().MemAlloc(&address_, bytes)); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  ~DeviceBytes() { EXPECT_CODE(CUDA_SUCCESS, d().MemFree(address_)); }

  [[nodiscard]] CUdeviceptr address() const { return address_; }
  [[nodiscard]] void* pointer() const {
    return reinterpret_cast<void*>(address_);  // NOLINT(performance-no-int-to-ptr): opaque to the host
  }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  CUdeviceptr address_ = 0;
  std::size_t bytes_;
};

/// Pinned memory that host and device both see, filled with zeros.
class PinnedBytes {
 public:
  explicit PinnedBytes(std::size_t bytes) {
    EXPECT_CODE(CUDA_SUCCESS, d().MemHostAlloc(&host_, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
    std::memset(host_, 0, bytes);
    EXPECT_CODE(CUDA_SUCCESS, d().MemHostGetDevicePointer(&device_, host_, 0));
  }
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;
  ~PinnedBytes() { EXPECT_CODE(CUDA_SUCCESS, d().MemFreeHost(host_)); }

  template <class T>
  [[nodiscard]] T* host() const {
    return static_cast<T*>(host_);
  }
  template <class T>
  [[nodiscard]] T* device() const {
    return reinterpret_cast<T*>(device_);  // NOLINT(performance-no-int-to-ptr): opaque to the host
  }

 private:
  void* host_ = nullptr;
  CUdeviceptr device_ = 0;
};

class TimedEvent {
 public:
  TimedEvent() { EXPECT_CODE(CUDA_SUCCESS, d().EventCreate(&event_, CU_EVENT_DEFAULT)); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() { EXPECT_CODE(CUDA_SUCCESS, d().EventDestroy(event_)); }
  [[nodiscard]] CUevent handle() const { return event_; }

 private:
  CUevent event_ = nullptr;
};

/// Skips where there is no driver that starts. What it makes is of device 0, whose primary context is current.
class Contract : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& problem = open_driver().problem; !problem.empty()) {
      // Where the simulated driver is meant, nothing may be missing.
      if (std::getenv("SIMULATED_MACHINE") != nullptr) FAIL() << problem;
      GTEST_SKIP() << problem;
    }
    ASSERT_EQ(CUDA_SUCCESS, d().DeviceGet(&device_, 0));
    ASSERT_EQ(CUDA_SUCCESS, d().DevicePrimaryCtxRetain(&context_, device_));
    ASSERT_EQ(CUDA_SUCCESS, d().CtxSetCurrent(context_));
    ASSERT_EQ(CUDA_SUCCESS, d().StreamCreate(&stream_, CU_STREAM_DEFAULT));
  }
  void TearDown() override {
    if (!open_driver().problem.empty()) return;
    EXPECT_CODE(CUDA_SUCCESS, d().StreamDestroy(stream_));
    EXPECT_CODE(CUDA_SUCCESS, d().DevicePrimaryCtxRelease(device_));
  }

  /// Of the stream's own kernels, of the image that the device takes.
  [[nodiscard]] static CUkernel kernel(const char* name) {
    for (const embedded::File& file : embedded::stream_kernels_code()) {
      CUlibrary library = nullptr;
      CUkernel found = nullptr;
      CUfunction function = nullptr;
      if (d().LibraryLoadData(&library, file.text.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS &&
          d().LibraryGetKernel(&found, library, name) == CUDA_SUCCESS &&
          d().KernelGetFunction(&function, found) == CUDA_SUCCESS)
        return found;
    }
    ADD_FAILURE() << "no image of " << name << " is for this device";
    return nullptr;
  }

  template <class Parameters>
  [[nodiscard]] CUresult launch(CUkernel kernel, Parameters parameters, unsigned blocks = 1, unsigned threads = 1) {
    void* all[] = {&parameters};
    return d().LaunchKernel(reinterpret_cast<CUfunction>(kernel), blocks, 1, 1, threads, 1, 1, 0, stream_, all,
                            nullptr);
  }

  void wait() { EXPECT_CODE(CUDA_SUCCESS, d().StreamSynchronize(stream_)); }

  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
};

}  // namespace warpmark::cuda
