// SPDX-License-Identifier: Apache-2.0
// A stream on the CPU: work runs when it is submitted, so waiting is nothing and the device's clock is the host's.
#pragma once

#include "harness/backends/cpu/cpu_device.h"

namespace warpmark::cpu {

class CpuStream final : public Stream {
 public:
  explicit CpuStream(CpuDevice& device) : device_(device) {}

  [[nodiscard]] Device& device() override { return device_; }
  [[nodiscard]] ThreadPool& pool() { return device_.pool(); }
  void copy_in(void* device_to, const void* host_from, std::size_t bytes) override;
  void copy_out(void* host_to, const void* device_from, std::size_t bytes) override;
  void fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) override;
  void fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) override;
  void poison(void* device_to, std::size_t bytes) override;
  [[nodiscard]] double time(const std::function<void(Stream&)>& submit) override;
  void wait() override {}

 private:
  CpuDevice& device_;
};

}  // namespace warpmark::cpu
