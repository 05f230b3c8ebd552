// SPDX-License-Identifier: Apache-2.0
// What this process may use of the CPU and its memory: affinity, cpuset, quota and memory limit taken together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// Unknown numbers are 0.
struct CpuLimits {
  std::vector<int> cpus{};        // one hardware thread of each core that is allowed, at most ceil(quota) of them
  std::int64_t memory_total = 0;  // of the machine, or what the control group allows of it
  /// Least of what the machine has free and what the control group leaves.
  std::int64_t memory_available = 0;
  std::int64_t last_level_cache_bytes = 0;   // all last-level caches that these CPUs use, together
  std::int64_t l1d_bytes = 0, l2_bytes = 0;  // the largest that one of these CPUs uses
  double max_clock_hz = 0;
  std::string model{};  // as the processor says it: data from outside
};

/// For a live root there is always at least one CPU.
[[nodiscard]] CpuLimits cpu_limits(const FileRoot& root = FileRoot());

/// CpuLimits::memory_available alone, which is read anew before every allocation and so has to be quick.
[[nodiscard]] std::int64_t memory_available(const FileRoot& root = FileRoot());

}  // namespace warpmark
