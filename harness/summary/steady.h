// SPDX-License-Identifier: Apache-2.0
// What is left of a device's rate when it is warm: the first seconds of a case that ran for a given time against what
// stayed, when it settled, what it fell for, and what a watt gave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/hold_reasons.h"
#include "harness/summary/summary.h"

namespace warpmark {

/// Steady rates that differ from the first by less are the same: a warm chip leaks more, and a clock moves by steps.
inline constexpr double steady_tolerance = 0.03;

struct SteadyRate {
  const CaseSummary* summary = nullptr;            // never null
  const Record* record = nullptr;                  // never null: the repeat that was measured
  double first = 0, steady = 0;                    // in the headline's unit
  std::optional<double> settled_at{};              // seconds; empty where it was still changing
  std::optional<double> per_watt{};                // in the headline's unit, for each watt
  double clock_before_hz = 0, clock_after_hz = 0;  // medians beside the samples; 0 where they are not known
  const HoldReason* held_by = nullptr;             // what held its clock down in the steady part; null: nothing seen

  /// Share of the first seconds' rate that is gone; negative where it grew.
  [[nodiscard]] double lost() const { return 1 - steady / first; }
  [[nodiscard]] bool fell() const { return lost() > steady_tolerance; }
  /// What held it down is what a card does under sustained load: nothing is wrong with it.
  [[nodiscard]] bool is_normal() const { return held_by != nullptr && held_by->kind == HoldKind::expected; }
};

/// Of one record; empty where it has no course or no number.
[[nodiscard]] std::optional<SteadyRate> steady_rate_of(const CaseSummary& one, const Record& record);

/// Of every case that ran for a given time, in the order of the cases.
[[nodiscard]] std::vector<SteadyRate> steady_rates(const RunSummary& run);

/// "752 TFLOP/s in the first seconds, 701 TFLOP/s steady (-6.8 %) from 21.0 s on; 1.07 TFLOP/s/W"
[[nodiscard]] std::string steady_text(const SteadyRate& rate);

/// Why it fell and what to do: "its rate fell by 40.0 % and stayed there from 20.1 s on, from ... to ..., its clock
/// from
/// ... to ...: heat (the driver's thermal slowdown) held it down; improve its cooling". Empty where it did not fall.
[[nodiscard]] std::string fall_text(const SteadyRate& rate);

}  // namespace warpmark
