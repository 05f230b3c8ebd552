// SPDX-License-Identifier: Apache-2.0
// What the compute benchmarks share: how long their chains are, and over how many cores or SMs they go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/core/benchmark.h"
#include "harness/core/error.h"
#include "harness/device/device.h"

namespace warpmark {

/// Throws Skipped for none, and for more than any clock would see the end of.
[[nodiscard]] inline std::size_t rounds_of(const Case& at) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  const std::int64_t rounds = at.integer("rounds");
  if (rounds < 1 || rounds > most) throw Skipped("rounds have to be 1 to 16777216");
  return static_cast<std::size_t>(rounds);
}

[[nodiscard]] inline std::size_t units_of(const DeviceInfo& device) {
  return static_cast<std::size_t>(std::max<std::int64_t>(device.units, 1));
}

}  // namespace warpmark
