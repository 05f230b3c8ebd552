// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: memory that the pool's threads touch first, a stream that runs at once, a probe of the
// multiply-add units.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "harness/backends/cpu/compute_probe.h"
#include "harness/backends/cpu/thread_pool.h"
#include "harness/device/device.h"

namespace warpmark {
class CpuConditions;
}

namespace warpmark::cpu {

class CpuDevice final : public Device {
 public:
  CpuDevice();
  ~CpuDevice() override;

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t memory_available() const override;
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<Stream> stream() override;
  [[nodiscard]] std::optional<double> probe(std::string_view unit) override;
  [[nodiscard]] std::optional<double> clock_hz() override;
  /// One at a time: a second one begins anew.
  [[nodiscard]] Watch watch() override;
  void measure_ceilings() override;
  void adopt_ceilings(Ceilings ceilings) override { info_.ceilings = std::move(ceilings); }

  /// Started at the first use, so that listing devices starts no thread.
  [[nodiscard]] ThreadPool& pool();

 private:
  [[nodiscard]] ComputeProbes& compute_probes();

  std::vector<int> cpus_;
  DeviceInfo info_{};
  std::unique_ptr<CpuConditions> conditions_{};  // made at the first watch
  /// Memory that is out and for which huge pages were asked. Shared, because buffers may outlive the device.
  std::shared_ptr<std::int64_t> huge_bytes_ = std::make_shared<std::int64_t>(0);
  std::unique_ptr<ThreadPool> pool_{};
  std::unique_ptr<ComputeProbes> compute_probes_{};
};

/// The pool that kernels of this backend spread their loops over.
[[nodiscard]] ThreadPool& pool_of(Stream& stream);

}  // namespace warpmark::cpu

namespace warpmark {

/// Always usable; one device, cpu:0, with every CPU that this process may use.
[[nodiscard]] Backend cpu_backend();

}  // namespace warpmark
