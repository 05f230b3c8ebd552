// SPDX-License-Identifier: Apache-2.0
// Whether somebody fixed the clock of CPUs, by what cpufreq lets them choose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

struct CpuClockLock {
  std::optional<double> clock_hz{};  // the one that all of them are fixed at
  std::string why_not{};             // empty where they are; else what they do, and what would fix them
};

/// Fixed are CPUs whose lowest and highest allowed frequency are one and the same, of which none is above what they run
/// at without a boost that comes and goes.
[[nodiscard]] CpuClockLock cpu_clock_lock(const FileRoot& root, const std::vector<int>& cpus);

}  // namespace warpmark
