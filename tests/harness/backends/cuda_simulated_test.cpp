// SPDX-License-Identifier: Apache-2.0
// The cuda backend on a simulated machine: what it reports is what tests/fakes/machines says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "harness/backends/cuda/cuda_backend.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/core/error.h"
#include "harness/core/shuffle.h"
#include "harness/core/uniform.h"

namespace warpmark::cuda {
namespace {

// Of h200.json.
constexpr double clock_hz = 1.98e6;
constexpr double memory_bandwidth = 4.416e9;
constexpr double peak_bandwidth = 4.8e9;
constexpr double noise = 0.02;  // six times the jitter there, and what a launch costs

class Simulated : public testing::Test {
 protected:
  void SetUp() override {
    const std::string problem = cuda_backend().unavailable().why;
    ASSERT_EQ("", problem);
  }
};

TEST_F(Simulated, DeviceIsTheOneOfTheScenario) {
  const CudaDevice device(0);
  EXPECT_EQ("NVIDIA H200", device.info().name);
  EXPECT_EQ(132, device.info().units);
  EXPECT_EQ(141'000'000, device.info().memory_bytes);
  EXPECT_EQ(51200, device.info().last_level_cache_bytes);
  EXPECT_EQ("9.0", device.info().facts.at("compute_capability"));
  EXPECT_EQ("GPU-5eef03a0-5157-4d61-726b-000000000000", device.info().facts.at("uuid"));
  EXPECT_EQ("0000:1B:00.0", device.info().facts.at("pci"));
  EXPECT_NEAR(peak_bandwidth, device.info().ceilings.at("memory_bandwidth").value.value(), 1);
}

TEST_F(Simulated, TimeOfAFillIsItsBytesOverTheBandwidth) {
  CudaDevice device(0);
  const auto stream = device.stream();
  constexpr std::size_t n = 4'000'000;
  const Buffer buffer = device.allocate(n * sizeof(float));
  const double once = stream->time([&](Stream& s) { s.fill_random(buffer.data(), n, DType::f32, 1); });
  const double thrice = stream->time([&](Stream& s) {
    for (int i = 0; i < 3; ++i) s.fill_random(buffer.data(), n, DType::f32, 1);
  });
  const double truth = static_cast<double>(n * sizeof(float)) / memory_bandwidth;
  EXPECT_NEAR(1, once / truth, noise);
  EXPECT_NEAR(3, thrice / truth, 3 * noise);
}

TEST_F(Simulated, FillsAreThoseOfTheCpu) {
  CudaDevice device(0);
  const auto stream = device.stream();
  constexpr std::size_t n = 1001;
  const Buffer buffer = device.allocate(n * sizeof(double));
  stream->poison(buffer.data(), buffer.bytes());
  stream->fill_random(buffer.data(), n, DType::f64, 7);
  std::vector<double> back(n);
  stream->copy_out(back.data(), buffer.data(), buffer.bytes());
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(uniform(7, i), back[i]) << i;
}

TEST_F(Simulated, CyclesAreThoseOfTheOrder) {
  CudaDevice device(0);
  const auto stream = device.stream();
  constexpr std::size_t nodes = 1001;
  constexpr std::size_t stride = 128;
  const Buffer buffer = device.allocate(nodes * stride);
  stream->fill_cycle(buffer.data(), nodes, stride, 7);
  std::vector<std::uint64_t> back(nodes * stride / sizeof(std::uint64_t));
  stream->copy_out(back.data(), buffer.data(), buffer.bytes());
  const Shuffle order(7, nodes);
  const auto first = reinterpret_cast<std::uint64_t>(buffer.data());
  for (std::size_t place = 0; place < nodes; ++place)
    ASSERT_EQ(first + order((place + 1) % nodes) * stride, back[order(place) * stride / sizeof(std::uint64_t)])
        << place;
}

TEST_F(Simulated, ClockIsTheChips) {
  CudaDevice device(0);
  EXPECT_NEAR(1, device.clock_hz().value() / clock_hz, noise);
}

TEST_F(Simulated, MemoryThatThereIsNotIsSkipped) {
  CudaDevice device(0);
  EXPECT_THROW((void)device.allocate(200'000'000), Skipped);
  const Buffer half = device.allocate(70'000'000);
  EXPECT_LT(device.memory_available(), 71'000'000);
  EXPECT_THROW((void)device.allocate(70'000'000), Skipped);
}

}  // namespace
}  // namespace warpmark::cuda
