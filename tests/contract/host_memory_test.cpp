// SPDX-License-Identifier: Apache-2.0
// What the program takes for granted of pinning memory and of streams that wait for each other.
#include <vector>

#include "tests/contract/contract.h"

namespace warpmark::cuda {
namespace {

constexpr std::size_t page = 4096;

struct alignas(page) Page {
  std::uint8_t bytes[page];
};

TEST_F(Contract, MemoryIsRegisteredOnceAndUnregisteredOnce) {
  std::vector<Page> pages(4);
  EXPECT_CODE(CUDA_SUCCESS, d().MemHostRegister(pages.data(), pages.size() * page, CU_MEMHOSTREGISTER_PORTABLE));
  EXPECT_CODE(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
              d().MemHostRegister(pages.data(), pages.size() * page, CU_MEMHOSTREGISTER_PORTABLE));
  EXPECT_CODE(CUDA_SUCCESS, d().MemHostUnregister(pages.data()));
  EXPECT_CODE(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, d().MemHostUnregister(pages.data()));
}

TEST_F(Contract, AStreamWaitsForAPointOfAnother) {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  CUstream other = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, d().StreamCreate(&other, CU_STREAM_NON_BLOCKING));
  {
    const DeviceBytes device(bytes);
    const PinnedBytes host(bytes);
    const TimedEvent filled;
    for (std::uint8_t round = 1; round <= 20; ++round) {
      EXPECT_CODE(CUDA_SUCCESS, d().MemsetD8Async(device.address(), round, bytes, stream_));
      EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(filled.handle(), stream_));
      EXPECT_CODE(CUDA_SUCCESS, d().StreamWaitEvent(other, filled.handle(), 0));
      EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(host.host<char>(), device.address(), bytes, other));
      EXPECT_CODE(CUDA_SUCCESS, d().StreamSynchronize(other));
      EXPECT_EQ(round, host.host<char>()[bytes - 1]);
    }
    wait();
  }
  EXPECT_CODE(CUDA_SUCCESS, d().StreamDestroy(other));
}

TEST_F(Contract, AnEventThatNobodyMarkedKeepsNobodyWaiting) {
  const TimedEvent never;
  EXPECT_CODE(CUDA_SUCCESS, d().StreamWaitEvent(stream_, never.handle(), 0));
  wait();
}

}  // namespace
}  // namespace warpmark::cuda
