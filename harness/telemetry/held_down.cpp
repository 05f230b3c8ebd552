// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/held_down.h"

#include <array>

#include "harness/telemetry/nvml/abi.h"

namespace warpmark {

std::string_view name_of(HeldKind kind) {
  switch (kind) {
    case HeldKind::benign: return "benign";
    case HeldKind::expected: return "expected";
    case HeldKind::flagged: return "flagged";
  }
  return "";
}

std::span<const HeldReason> held_reasons() {
  static constexpr std::array<HeldReason, 9> all{{
      {nvml::reason_idle, "idle", HeldKind::benign, std::nullopt},
      {nvml::reason_application_clocks, "application_clocks", HeldKind::benign, std::nullopt},
      {nvml::reason_sw_power_cap, "sw_power_cap", HeldKind::expected, Counter::power_cap_seconds},
      {nvml::reason_hw_slowdown, "hw_slowdown", HeldKind::flagged, std::nullopt},
      {nvml::reason_sync_boost, "sync_boost", HeldKind::benign, std::nullopt},
      {nvml::reason_sw_thermal, "sw_thermal", HeldKind::flagged, Counter::sw_thermal_seconds},
      {nvml::reason_hw_thermal, "hw_thermal", HeldKind::flagged, Counter::hw_thermal_seconds},
      {nvml::reason_hw_power_brake, "hw_power_brake", HeldKind::flagged, Counter::power_brake_seconds},
      {nvml::reason_display_clock, "display_clock", HeldKind::benign, std::nullopt},
  }};
  return all;
}

}  // namespace warpmark
