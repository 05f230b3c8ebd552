// SPDX-License-Identifier: Apache-2.0
// The simulated device's time is what the scenario says, and effects come no earlier than the host may see them.
#include <cmath>
#include <vector>

#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;

// Of h200.json.
constexpr double memory_bandwidth = 4.416e9;
constexpr double l2_bandwidth = 7.5e9;
constexpr double link_bandwidth = 55e6;
constexpr double overhead = 1e-6;
constexpr double f32_rate = 132 * 256 * 0.92 * 1.98e6;
constexpr double close_to = 1e-5;  // events tell 24 bits

TEST(Timing, ACopyKernelTakesItsBytesOverTheBandwidth) {
  Rig rig(machine("h200"));
  constexpr std::size_t n = 100'000;
  const CopyParameters copy{.to = rig.device_memory<float>(n), .from = rig.device_memory<float>(n), .n = n};
  const double seconds = rig.seconds([&] { Rig::ok(rig.launch("test_copy", copy, 4, 64)); });
  const double truth = overhead + 2.0 * n * sizeof(float) / memory_bandwidth;
  EXPECT_NEAR(1, seconds / truth, close_to);
}

TEST(Timing, WhatL2HoldsGoesByItsBandwidth) {
  Rig rig(machine("h200"));
  constexpr std::size_t n = 5'000;  // both arrays fit
  const CopyParameters copy{.to = rig.device_memory<float>(n), .from = rig.device_memory<float>(n), .n = n};
  const auto once = [&] { return rig.seconds([&] { Rig::ok(rig.launch("test_copy", copy)); }); };
  const double bytes = 2.0 * n * sizeof(float);
  EXPECT_NEAR(1, once() / (overhead + bytes / memory_bandwidth), close_to) << "cold";
  EXPECT_NEAR(1, once() / (overhead + bytes / l2_bandwidth), close_to) << "warm";
  const CopyParameters other{.to = rig.device_memory<float>(n), .from = rig.device_memory<float>(n), .n = n};
  Rig::ok(rig.launch("test_copy", other));
  EXPECT_NEAR(1, once() / (overhead + bytes / memory_bandwidth), close_to) << "others came in between";
}

TEST(Timing, CopiesToTheHostTakeTheLink) {
  Rig rig(machine("h200"));
  constexpr std::size_t bytes = 1'000'000;
  auto* const from = rig.device_memory<char>(bytes);
  auto* const to = rig.pinned_memory<char>(bytes);
  const double seconds =
      rig.seconds([&] { Rig::ok(cuMemcpyDtoHAsync(to, reinterpret_cast<CUdeviceptr>(from), bytes, rig.stream)); });
  EXPECT_NEAR(1, seconds / (overhead + bytes / link_bandwidth), close_to);
}

TEST(Timing, FlopsGoByTheUnitAndTheClock) {
  Rig rig(machine("h200"));
  const double seconds = rig.seconds([&] { Rig::ok(rig.launch("test_flops", FlopParameters{.flops = 1e9})); });
  EXPECT_NEAR(1, seconds / (overhead + 1e9 / f32_rate), close_to);
}

TEST(Timing, AThrottledClockSlowsArithmeticFromThenOn) {
  Rig rig(machine("h200_throttled"));
  const double flops = f32_rate * 0.015;
  const auto once = [&] { return rig.seconds([&] { Rig::ok(rig.launch("test_flops", FlopParameters{flops})); }); };
  EXPECT_NEAR(1, once() / 0.015, 1e-3);
  // The second begins at 15 ms and half of what is left of it falls after 20 ms.
  EXPECT_NEAR(1, once() / (0.005 + 0.010 / 0.6), 1e-2);
  EXPECT_NEAR(1, once() / (0.015 / 0.6), 1e-3);
}

TEST(Timing, JitterIsWhatTheScenarioSaysAndTheSameForOneSeed) {
  const auto times = [](int seed) {
    Rig rig(machine("h200", {{"jitter", {{"sigma", 0.1}, {"seed", seed}}}}));
    std::vector<double> all;
    for (int i = 0; i < 400; ++i)
      all.push_back(rig.seconds([&] { Rig::ok(rig.launch("test_flops", FlopParameters{.flops = 1e7})); }));
    return all;
  };
  const auto one = times(1);
  EXPECT_EQ(one, times(1));
  EXPECT_NE(one, times(2));
  double sum = 0;
  double squares = 0;
  for (const double seconds : one) {
    const double log = std::log(seconds / (overhead + 1e7 / f32_rate));
    sum += log;
    squares += log * log;
  }
  EXPECT_NEAR(0, sum / 400, 0.02);
  EXPECT_NEAR(0.1, std::sqrt(squares / 400), 0.015);
}

TEST(Timing, AnOperationStartsWhenItIsSubmitted) {
  Rig rig(machine("h200", {{"host_call_seconds", 1e-3}}));
  const double seconds = rig.seconds([] {});
  EXPECT_NEAR(1, seconds / 1e-3, close_to) << "two calls, one after the other";
}

TEST(Laziness, WithoutWaitingTheHostReadsWhatWasThere) {
  Rig rig(machine("h200"));
  auto* const device = rig.device_memory<int>(1);
  auto* const host = rig.pinned_memory<int>(1);
  *host = 5;
  Rig::ok(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(device), 0, sizeof(int), rig.stream));
  Rig::ok(cuMemcpyDtoHAsync(host, reinterpret_cast<CUdeviceptr>(device), sizeof(int), rig.stream));
  EXPECT_EQ(5, *host) << "nobody has waited";
  Rig::ok(rig.wait());
  EXPECT_EQ(0, *host);
}

TEST(Laziness, PinnedMemoryIsReadWhenTheCopyRunsAndOtherMemoryAtTheCall) {
  Rig rig(machine("h200"));
  auto* const device = rig.device_memory<int>(2);
  const auto address = reinterpret_cast<CUdeviceptr>(device);
  auto* const pinned = rig.pinned_memory<int>(1);
  int pageable = 1;
  *pinned = 1;
  Rig::ok(cuMemcpyHtoDAsync(address, pinned, sizeof(int), rig.stream));
  Rig::ok(cuMemcpyHtoDAsync(address + sizeof(int), &pageable, sizeof(int), rig.stream));
  *pinned = 2;
  pageable = 2;
  std::vector<int> back(2);
  Rig::ok(cuMemcpyDtoHAsync(back.data(), address, 2 * sizeof(int), rig.stream));
  EXPECT_EQ((std::vector<int>{2, 1}), back) << "into memory that is not pinned the copy is waited for";
}

TEST(Laziness, EqualLaunchesInARowRunOnceAndAreTimedEveryTime) {
  Rig rig(machine("h200"));
  auto* const device = rig.device_memory<int>(2);
  const auto address = reinterpret_cast<CUdeviceptr>(device);
  Rig::ok(cuMemsetD8Async(address, 0, 2 * sizeof(int), rig.stream));
  const auto run = [&](int times) {
    return rig.seconds([&] {
      for (int i = 0; i < times; ++i) {
        Rig::ok(rig.launch("test_count", CountParameters{device}, 1, 1));
        Rig::ok(rig.launch("test_count", CountParameters{device + 1}, 1, 1));
      }
    });
  };
  EXPECT_NEAR(20, run(10) / overhead, 2);
  std::vector<int> counts(2);
  const auto read = [&] {
    Rig::ok(cuMemcpyDtoHAsync(counts.data(), address, 2 * sizeof(int), rig.stream));
    return counts;
  };
  EXPECT_EQ((std::vector<int>{1, 1}), read());
  Rig::ok(rig.launch("test_flops", FlopParameters{}));
  (void)run(3);
  EXPECT_EQ((std::vector<int>{2, 2}), read()) << "another kernel ended the row";
}

TEST(Laziness, AFullQueueMakesTheHostWait) {
  Rig rig(machine("h200"));
  auto* const device = rig.device_memory<int>(1);
  auto* const host = rig.pinned_memory<int>(1);
  *host = 5;
  Rig::ok(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(device), 0, sizeof(int), rig.stream));
  Rig::ok(cuMemcpyDtoHAsync(host, reinterpret_cast<CUdeviceptr>(device), sizeof(int), rig.stream));
  for (int i = 0; i < 1022; ++i) Rig::ok(rig.launch("test_flops", FlopParameters{}));
  EXPECT_EQ(5, *host);
  for (int i = 0; i < 2; ++i) Rig::ok(rig.launch("test_flops", FlopParameters{}));
  EXPECT_EQ(0, *host);
}

}  // namespace
}  // namespace warpmark::fakes
