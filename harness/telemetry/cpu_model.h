// SPDX-License-Identifier: Apache-2.0
// What the kernel says of the processor: its name, its numbers, what it can execute, how fast it may clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// Of the first processor in /proc/cpuinfo; empty is unknown. Texts are data from outside.
struct CpuModel {
  std::optional<std::string> name{};
  std::optional<std::string> vendor{};
  std::optional<std::int64_t> family{}, model{}, stepping{};
  std::optional<std::vector<std::string>> flags{};  // sorted
  std::string unknown{};                            // why there is nothing at all

  [[nodiscard]] bool has(const std::string& flag) const;
};

[[nodiscard]] CpuModel cpu_model(const FileRoot& root);

/// The highest of these CPUs' cpufreq file ("cpuinfo_max_freq", "scaling_cur_freq"), in Hz.
[[nodiscard]] std::optional<double> cpufreq_hz(const FileRoot& root, const std::vector<int>& cpus,
                                               const std::string& file);

/// CPUs that this process may run on.
[[nodiscard]] std::optional<std::vector<int>> affinity(const FileRoot& root);

}  // namespace warpmark
