// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/held_down.h"

#include <array>
#include <string_view>

#include "harness/telemetry/nvml/abi.h"

namespace warpmark {
namespace {

constexpr HoldBit bit_of(std::uint64_t bit, std::string_view name, std::optional<Counter> counter = {},
                         std::uint64_t counted_too = 0) {
  return {
      .bit = bit, .reason = &hold_reasons.at(place_of_reason(name)), .counter = counter, .counted_too = counted_too};
}

}  // namespace

std::span<const HoldBit> hold_bits() {
  static constexpr std::array all{
      bit_of(nvml::reason_idle, "idle"),
      bit_of(nvml::reason_application_clocks, "application_clocks"),
      bit_of(nvml::reason_sw_power_cap, "sw_power_cap", Counter::power_cap_seconds),
      bit_of(nvml::reason_hw_slowdown, "hw_slowdown"),
      bit_of(nvml::reason_sync_boost, "sync_boost"),
      bit_of(nvml::reason_sw_thermal, "sw_thermal", Counter::thermal_seconds, nvml::reason_hw_thermal),
      bit_of(nvml::reason_hw_thermal, "hw_thermal"),
      bit_of(nvml::reason_hw_power_brake, "hw_power_brake"),
      bit_of(nvml::reason_display_clock, "display_clock"),
  };
  static_assert(all.size() == hold_reasons.size());
  return all;
}

}  // namespace warpmark
