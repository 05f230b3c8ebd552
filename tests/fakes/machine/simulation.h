// SPDX-License-Identifier: Apache-2.0
// The whole simulated machine: its devices, the host's time, pinned memory, code that was loaded. One in a process.
#pragma once

#include <cuda.h>

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fakes/machine/address_map.h"
#include "tests/fakes/machine/fault_plan.h"
#include "tests/fakes/machine/graphs.h"
#include "tests/fakes/machine/host_ranges.h"
#include "tests/fakes/machine/host_time.h"
#include "tests/fakes/machine/image.h"
#include "tests/fakes/machine/scenario.h"
#include "tests/fakes/machine/simulated_device.h"

namespace warpmark::fakes {

/// A kernel by the library that it is from. Its address is the driver's handle for it.
struct Kernel {
  const DeviceImages* images = nullptr;
  std::string name{};
};

class Simulation {
 public:
  /// `visible` is what CUDA_VISIBLE_DEVICES says; null: all.
  Simulation(Scenario scenario, const char* visible);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] int device_count() const { return static_cast<int>(devices_.size()); }
  /// Throws Refusal for an ordinal that there is not.
  [[nodiscard]] SimulatedDevice& device(int ordinal);
  /// Throws Refusal where it is nobody's or was released.
  [[nodiscard]] SimulatedDevice& device_of(CUcontext context);
  [[nodiscard]] FaultPlan& faults() { return faults_; }
  [[nodiscard]] AddressMap& pinned() { return pinned_; }
  [[nodiscard]] Graphs& graphs() { return graphs_; }
  [[nodiscard]] HostRanges& host_ranges() { return host_ranges_; }
  [[nodiscard]] ChipAndDriver chip_of(const SimulatedDevice& device) const;

  /// The process ends: memory that is left now was forgotten.
  void abandon_memory();

  [[nodiscard]] double host_seconds() const { return host_time_.seconds(); }
  void spend_on_call() { host_time_.spend(scenario_.host_call_seconds); }
  /// A call that takes the host so long in all, with noise; what every call takes is spent already.
  void spend_on(double seconds) {
    const double rest = seconds * host_jitter_.factor() - scenario_.host_call_seconds;
    if (rest > 0) host_time_.spend(rest);
  }
  /// The host is busy for so long.
  void spend(double seconds) { host_time_.spend(seconds); }
  void wait_until(double seconds) { host_time_.wait_until(seconds); }

  [[nodiscard]] CUlibrary load(const void* data);
  [[nodiscard]] CUkernel kernel(CUlibrary library, std::string_view name);
  [[nodiscard]] const Kernel& kernel_of(const void* handle) const;

 private:
  Scenario scenario_;
  FaultPlan faults_;
  std::vector<std::unique_ptr<SimulatedDevice>> devices_{};
  AddressMap pinned_{};
  Graphs graphs_{};
  Jitter host_jitter_;
  HostRanges host_ranges_{};
  HostTime host_time_{machine_time()};
  std::list<DeviceImages> libraries_{};
  std::list<Kernel> kernels_{};
};

/// Which of so many devices a program sees, in its order, by CUDA_VISIBLE_DEVICES: ordinals or beginnings of UUIDs, up
/// to the first that there is not.
[[nodiscard]] std::vector<std::size_t> visible_devices(const std::vector<DeviceTruth>& devices,
                                                       std::string_view variable);

}  // namespace warpmark::fakes
