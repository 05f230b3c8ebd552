// SPDX-License-Identifier: Apache-2.0
// What the program takes for granted of work that goes well: order, timing, memory.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "harness/core/uniform.h"
#include "tests/contract/contract.h"

namespace warpmark::cuda {
namespace {

struct Flags {
  std::uint32_t release;
  std::uint32_t timed_out;
};

constexpr std::uint64_t ns_per_second = 1'000'000'000;

/// The stream, held by a kernel until it is released or the time is over.
class Held {
 public:
  explicit Held(std::uint64_t timeout_ns) : timeout_ns_(timeout_ns) {}
  [[nodiscard]] HoldParameters parameters() const {
    Flags* const flags = flags_.device<Flags>();
    return {.release = &flags->release, .timed_out = &flags->timed_out, .timeout_ns = timeout_ns_};
  }
  void release() const { std::atomic_ref(flags_.host<Flags>()->release).store(1, std::memory_order_release); }
  [[nodiscard]] bool timed_out() const { return flags_.host<Flags>()->timed_out != 0; }

 private:
  PinnedBytes flags_{sizeof(Flags)};
  std::uint64_t timeout_ns_;
};

TEST_F(Contract, CopiesBringBackWhatWasTaken) {
  std::vector<std::uint8_t> there(100'003);
  for (std::size_t i = 0; i < there.size(); ++i) there[i] = static_cast<std::uint8_t>(i * 7);
  std::vector<std::uint8_t> back(there.size());
  const DeviceBytes bytes(there.size());
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyHtoDAsync(bytes.address(), there.data(), there.size(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(back.data(), bytes.address(), back.size(), stream_));
  wait();
  EXPECT_EQ(there, back);
}

TEST_F(Contract, AStreamRunsInOrder) {
  const DeviceBytes bytes(1 << 16);
  const PinnedBytes first(bytes.size());
  const PinnedBytes second(bytes.size());
  EXPECT_CODE(CUDA_SUCCESS, d().MemsetD8Async(bytes.address(), 1, bytes.size(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(first.host<char>(), bytes.address(), bytes.size(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, d().MemsetD8Async(bytes.address(), 2, bytes.size(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(second.host<char>(), bytes.address(), bytes.size(), stream_));
  wait();
  EXPECT_EQ(1, first.host<char>()[bytes.size() - 1]);
  EXPECT_EQ(2, second.host<char>()[0]);
}

TEST_F(Contract, KernelsTakeTheirParametersAtTheLaunch) {
  constexpr std::size_t n = 1000;
  const DeviceBytes bytes(n * sizeof(float));
  const Held held(ns_per_second);
  EXPECT_CODE(CUDA_SUCCESS, launch(kernel("stream_hold"), held.parameters()));
  FillParameters parameters{.to = bytes.pointer(), .n = n, .seed = 5};
  void* all[] = {&parameters};
  EXPECT_CODE(CUDA_SUCCESS, d().LaunchKernel(reinterpret_cast<CUfunction>(kernel("stream_fill_f32")), 3, 1, 1, 64, 1, 1,
                                             0, stream_, all, nullptr));
  parameters = {.to = nullptr, .n = 0, .seed = 0};
  held.release();
  std::vector<float> back(n);
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(back.data(), bytes.address(), bytes.size(), stream_));
  wait();
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(static_cast<float>(uniform(5, i)), back[i]) << i;
}

TEST_F(Contract, AHeldStreamIsNotReadyAndGoesOnWhenItIsReleased) {
  const Held held(60 * ns_per_second);
  const TimedEvent before;
  const TimedEvent after;
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(before.handle(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, launch(kernel("stream_hold"), held.parameters()));
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(after.handle(), stream_));
  float milliseconds = 0;
  EXPECT_CODE(CUDA_ERROR_NOT_READY, d().EventElapsedTime(&milliseconds, before.handle(), after.handle()));
  held.release();
  wait();
  EXPECT_FALSE(held.timed_out());
  EXPECT_CODE(CUDA_SUCCESS, d().EventElapsedTime(&milliseconds, before.handle(), after.handle()));
}

TEST_F(Contract, EventsMeasureWhatLiesBetweenThem) {
  constexpr std::uint64_t held_ns = 20'000'000;
  const Held held(held_ns);
  const TimedEvent start;
  const TimedEvent middle;
  const TimedEvent end;
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(start.handle(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, launch(kernel("stream_hold"), held.parameters()));
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(middle.handle(), stream_));
  EXPECT_CODE(CUDA_SUCCESS, d().EventRecord(end.handle(), stream_));
  wait();
  EXPECT_TRUE(held.timed_out());
  float with = 0;
  float without = 0;
  EXPECT_CODE(CUDA_SUCCESS, d().EventElapsedTime(&with, start.handle(), middle.handle()));
  EXPECT_CODE(CUDA_SUCCESS, d().EventElapsedTime(&without, middle.handle(), end.handle()));
  EXPECT_GE(with, 0.99F * 1e-6F * static_cast<float>(held_ns));
  EXPECT_GE(without, 0);
  EXPECT_LT(without, with);
}

TEST_F(Contract, TheClockProbeCountsNoMoreClocksThanTheChipHas) {
  const PinnedBytes shared(sizeof(ClockReading));
  constexpr std::uint64_t least_ns = 200'000;
  EXPECT_CODE(CUDA_SUCCESS, launch(kernel("stream_clock"),
                                   ClockParameters{.reading = shared.device<ClockReading>(), .least_ns = least_ns}));
  wait();
  const ClockReading reading = *shared.host<ClockReading>();
  int khz = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().DeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device_));
  EXPECT_GE(reading.nanoseconds, least_ns);
  const double hz = static_cast<double>(reading.clocks) / static_cast<double>(reading.nanoseconds) * 1e9;
  EXPECT_GT(hz, 0.05e3 * khz);
  EXPECT_LT(hz, 2e3 * khz) << "a card may run above the clock that it states, but not by so much";
}

TEST_F(Contract, FreeMemoryFollowsAllocations) {
  std::size_t total = 0;
  std::size_t before = 0;
  std::size_t between = 0;
  std::size_t after = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().MemGetInfo(&before, &total));
  EXPECT_LE(before, total);
  {
    const DeviceBytes bytes(before / 4);
    ASSERT_EQ(CUDA_SUCCESS, d().MemGetInfo(&between, &total));
    EXPECT_LE(between, before - bytes.size());
  }
  ASSERT_EQ(CUDA_SUCCESS, d().MemGetInfo(&after, &total));
  EXPECT_GT(after, between);
}

TEST_F(Contract, FillsAreThoseOfEveryBackend) {
  constexpr std::size_t n = 777;
  const DeviceBytes bytes(n * sizeof(double));
  EXPECT_CODE(CUDA_SUCCESS,
              launch(kernel("stream_fill_f64"), FillParameters{.to = bytes.pointer(), .n = n, .seed = 3}, 2, 128));
  std::vector<double> back(n);
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(back.data(), bytes.address(), bytes.size(), stream_));
  wait();
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(uniform(3, i), back[i]) << i;
}

TEST_F(Contract, TwoThreadsWorkInOneContext) {
  CUresult codes[] = {CUDA_ERROR_UNKNOWN, CUDA_ERROR_UNKNOWN};
  std::vector<std::thread> threads;
  const DeviceBytes bytes(2 << 12);
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      CUstream own = nullptr;
      codes[i] = d().CtxSetCurrent(context_);
      if (codes[i] == CUDA_SUCCESS) codes[i] = d().StreamCreate(&own, CU_STREAM_DEFAULT);
      const CUdeviceptr half = bytes.address() + static_cast<CUdeviceptr>(i) * bytes.size() / 2;
      for (int round = 0; round < 50 && codes[i] == CUDA_SUCCESS; ++round)
        codes[i] = d().MemsetD8Async(half, static_cast<unsigned char>(i + 1), bytes.size() / 2, own);
      if (codes[i] == CUDA_SUCCESS) codes[i] = d().StreamSynchronize(own);
      if (codes[i] == CUDA_SUCCESS) codes[i] = d().StreamDestroy(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(CUDA_SUCCESS, codes[0]);
  EXPECT_EQ(CUDA_SUCCESS, codes[1]);
  std::vector<char> back(bytes.size());
  EXPECT_CODE(CUDA_SUCCESS, d().MemcpyDtoHAsync(back.data(), bytes.address(), back.size(), stream_));
  wait();
  EXPECT_EQ(1, back.front());
  EXPECT_EQ(2, back.back());
}

TEST_F(Contract, TheDeviceSaysWhatItIs) {
  for (const auto which : {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
                           CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE}) {
    int value = 0;
    EXPECT_CODE(CUDA_SUCCESS, d().DeviceGetAttribute(&value, which, device_));
    EXPECT_GT(value, 0) << which;
  }
  std::array<char, 8> name{};
  EXPECT_CODE(CUDA_SUCCESS, d().DeviceGetName(name.data(), static_cast<int>(name.size()), device_));
  EXPECT_LT(std::strlen(name.data()), name.size());
  std::array<char, 32> address{};
  EXPECT_CODE(CUDA_SUCCESS, d().DeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device_));
  EXPECT_EQ(12U, std::strlen(address.data())) << address.data();
}

}  // namespace
}  // namespace warpmark::cuda
