// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/gpu_conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/units.h"
#include "harness/summary/sampled.h"

namespace warpmark {
namespace {

constexpr double most_of_the_readings = 0.5;
constexpr std::size_t power_cap = place_of_reason("sw_power_cap");

}  // namespace

void add(const Record& record, GpuConditions& to) {
  const auto sampled = sampled_of(record.telemetry);
  if (!sampled || sampled->off) return;
  to.readings += sampled->readings;
  for (std::size_t i = 0; i < hold_reasons.size(); ++i) to.held.at(i) += sampled->held.at(i) * sampled->readings;
  to.foreign_processes = std::max(to.foreign_processes, sampled->foreign_processes);
}

std::optional<HeldDown> held_down(const GpuConditions& conditions) {
  std::optional<HeldDown> worst;
  for (std::size_t i = 0; i < hold_reasons.size(); ++i) {
    const double share = conditions.share(i);
    if (hold_reasons.at(i).kind != HoldKind::flagged || share <= (worst ? worst->share : 0)) continue;
    worst = HeldDown{.reason = &hold_reasons.at(i), .share = share};
  }
  return worst;
}

std::string held_down_sentence(const HeldDown& held, std::string_view what) {
  return fmt::format("{} held {} down in {} of the readings: {}", held.reason->words, what, format_percent(held.share),
                     held.reason->remedy);
}

std::string low_clock_reason(const GpuConditions& conditions) {
  if (const auto held = held_down(conditions); held && held->share > most_of_the_readings)
    return held_down_sentence(*held, "it");
  for (std::size_t i = 0; i < hold_reasons.size(); ++i)
    if (hold_reasons.at(i).kind != HoldKind::flagged && conditions.share(i) > most_of_the_readings)
      return held_down_sentence({.reason = &hold_reasons.at(i), .share = conditions.share(i)}, "it");
  if (const auto held = held_down(conditions)) return held_down_sentence(*held, "it");
  return {};
}

bool at_power_limit(const GpuConditions& conditions) { return conditions.share(power_cap) > most_of_the_readings; }

}  // namespace warpmark
