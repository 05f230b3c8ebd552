// SPDX-License-Identifier: Apache-2.0
// Why a driver says that it holds a GPU's clock down, which of it is a fault, and what to do about it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace warpmark {

/// benign: nothing is wrong. expected: normal under sustained load. flagged: the numbers are lower than the card's.
enum class HoldKind { benign, expected, flagged };

[[nodiscard]] constexpr std::string_view name_of(HoldKind kind) {
  return kind == HoldKind::benign ? "benign" : kind == HoldKind::expected ? "expected" : "flagged";
}

struct HoldReason {
  std::string_view name{};  // as telemetry.sampled.held_down has it
  HoldKind kind = HoldKind::benign;
  std::string_view words{};   // "heat held it down"
  std::string_view remedy{};  // of those that are flagged, and of those that may explain a low clock
};

inline constexpr std::string_view cool_it =
    "improve its cooling (fans, dust, air flow), or ask the provider of a rented machine for another";

/// The specific before the general: drivers set hw_slowdown together with what caused it.
inline constexpr std::array hold_reasons{
    HoldReason{.name = "hw_power_brake",
               .kind = HoldKind::flagged,
               .words = "the power brake, a signal of the power supply or the chassis,",
               .remedy = "check the power supply and its cables, or ask the provider of a rented machine for another"},
    HoldReason{.name = "hw_thermal",
               .kind = HoldKind::flagged,
               .words = "heat (the GPU's own thermal slowdown)",
               .remedy = cool_it},
    HoldReason{.name = "sw_thermal",
               .kind = HoldKind::flagged,
               .words = "heat (the driver's thermal slowdown)",
               .remedy = cool_it},
    HoldReason{.name = "hw_slowdown",
               .kind = HoldKind::flagged,
               .words = "a hardware slowdown (heat or power supply)",
               .remedy = "check cooling and power supply, or ask the provider of a rented machine for another"},
    HoldReason{.name = "sw_power_cap",
               .kind = HoldKind::expected,
               .words = "its power limit",
               .remedy = "`nvidia-smi -q -d POWER` shows the limit beside its default"},
    HoldReason{.name = "application_clocks",
               .words = "the application clocks that somebody set",
               .remedy = "`nvidia-smi -rac` takes them back"},
    HoldReason{.name = "sync_boost",
               .words = "sync boost, by which GPUs of a group keep one clock,",
               .remedy = "the slowest GPU of its group is the one to look at"},
    HoldReason{
        .name = "display_clock", .words = "the clock of its display", .remedy = "measure without a display at it"},
    HoldReason{.name = "idle", .words = "idling", .remedy = "it had too little to do to raise its clock"},
};

/// Its place in the list; the list's size where the name is not known.
[[nodiscard]] constexpr std::size_t place_of_reason(std::string_view name) {
  std::size_t place = 0;
  while (place < hold_reasons.size() && hold_reasons.at(place).name != name) ++place;
  return place;
}

}  // namespace warpmark
