// SPDX-License-Identifier: Apache-2.0
// Reads what the host's CPUs are doing, a few dozen times a second: clock, temperature, power, load, steal, throttling
// by the control group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/cgroup.h"
#include "harness/telemetry/cpu_conditions.h"
#include "harness/telemetry/file_root.h"
#include "harness/telemetry/sampling/reading.h"

namespace warpmark {

/// Where things are is looked up once.
class CpuSampler {
 public:
  /// The CPUs that are measured on; those of the machine where it is empty.
  explicit CpuSampler(std::vector<int> cpus, FileRoot root = FileRoot());

  [[nodiscard]] Reading read();
  /// Members of the reading that this machine does not show, and why.
  [[nodiscard]] std::vector<Denied> denied() const;

 private:
  void take_clock(Reading& reading) const;
  void take_power(Reading& reading);
  void take_throttling(Reading& reading);
  void take_times(Reading& reading);

  FileRoot root_;
  std::vector<int> cpus_;
  ControlGroups groups_;
  std::vector<std::string> temperature_files_{};
  std::vector<std::string> clock_files_{};
  std::vector<std::string> energy_files_{};
  std::vector<std::optional<std::int64_t>> throttled_before_{};  // by group, when this began
  std::optional<CpuTicks> last_ticks_{};
  double last_energy_j_ = 0;
  double last_energy_at_ = 0;
};

}  // namespace warpmark
