// SPDX-License-Identifier: Apache-2.0
// Why a GPU's clock is held below its highest, and whether that speaks against a number. Source: NVML's clock event
// reasons.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/telemetry/reading.h"

namespace warpmark {

/// benign: nothing asks for more, or somebody chose the clock. expected: normal for a device that works hard. flagged:
/// the machine cannot give what the device could do.
enum class HeldKind { benign, expected, flagged };
[[nodiscard]] std::string_view name_of(HeldKind kind);

struct HeldReason {
  std::uint64_t bit = 0;  // nvml::Reason
  std::string_view name{};
  HeldKind kind = HeldKind::benign;
  std::optional<Counter> counter{};  // how long, by the driver
};

[[nodiscard]] std::span<const HeldReason> held_reasons();

}  // namespace warpmark
