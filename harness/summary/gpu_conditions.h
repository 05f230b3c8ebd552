// SPDX-License-Identifier: Apache-2.0
// Those of the conditions around samples that only a GPU has, from the readings of the sampler: what held its clock
// down, and who else used it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/hold_reasons.h"
#include "harness/core/record.h"

namespace warpmark {

/// Of some records together.
struct GpuConditions {
  double readings = 0;
  std::array<double, hold_reasons.size()> held{};  // readings, in the order of hold_reasons
  double foreign_processes = 0;                    // the most at once

  [[nodiscard]] double share(std::size_t reason) const { return readings > 0 ? held.at(reason) / readings : 0; }
};

void add(const Record& record, GpuConditions& to);

/// What held a clock down for less of the readings is neither told nor a doubt.
inline constexpr double least_held_share = 0.01;

/// A reason that is flagged, that it held for, and the share of the readings: the one with the largest share.
struct HeldDown {
  const HoldReason* reason = nullptr;  // never null
  double share = 0;
};
[[nodiscard]] std::optional<HeldDown> held_down(const GpuConditions& conditions);

/// "heat (the driver's thermal slowdown) held its clock down in 40.0 % of the readings: improve its cooling"
[[nodiscard]] std::string held_down_sentence(const HeldDown& held, std::string_view what);

/// Why a clock was low, as far as the readings tell, and what to do; empty where they tell nothing.
[[nodiscard]] std::string low_clock_reason(const GpuConditions& conditions);

/// Whether a limit that is normal under load moved the clock for most of the time.
[[nodiscard]] bool at_power_limit(const GpuConditions& conditions);

}  // namespace warpmark
