// SPDX-License-Identifier: Apache-2.0
// How NVML says why a GPU's clock is held below its highest: one bit each of its clock event reasons.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "harness/core/hold_reasons.h"
#include "harness/telemetry/sampling/reading.h"

namespace warpmark {

struct HoldBit {
  std::uint64_t bit = 0;               // nvml::Reason
  const HoldReason* reason = nullptr;  // never null
  std::optional<Counter> counter{};    // how long, by the driver
  std::uint64_t counted_too = 0;       // reasons whose time that counter has as well
};

/// Of every reason that there is.
[[nodiscard]] std::span<const HoldBit> hold_bits();

}  // namespace warpmark
