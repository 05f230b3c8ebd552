// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/steady.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/units.h"
#include "harness/stats/order.h"
#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double least_share = 0.5;  // of the points of the steady part
constexpr double telling_clock = 0.98;

const Metric* metric_named(const Record& record, std::string_view name) {
  for (const Metric& metric : record.metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

/// The part before the rate settled; where it never did, the first seconds.
double part_until(const Record& record) { return record.course->settled_at.value_or(record.course->first_until); }

double median_clock(const Record& record, double from, double until) {
  const Samples& samples = record.samples;
  std::vector<double> readings;
  for (std::size_t i = 0; i < std::min(samples.at.size(), samples.clock_hz.size()); ++i)
    if (samples.at[i] >= from && samples.at[i] < until) readings.push_back(samples.clock_hz[i]);
  return readings.empty() ? 0 : median(sorted(readings));
}

/// How many points of the steady part say that reason, of all of them.
double share_of(std::string_view reason, const json& at, const json& held, double from) {
  double hit = 0, all = 0;
  for (std::size_t i = 0; i < std::min(at.size(), held.size()); ++i) {
    if (!at[i].is_number() || at[i].get<double>() < from || !held[i].is_array()) continue;
    ++all;
    if (std::any_of(held[i].begin(), held[i].end(), [&](const json& each) { return each == reason; })) ++hit;
  }
  return all > 0 ? hit / all : 0;
}

/// Faults before what is normal: that is their order.
const HoldReason* held_by(const Record& record) {
  const json& series = part_of(part_of(record.telemetry, "sampled"), "series");
  const json &at = part_of(series, "at"), &held = part_of(series, "held_down");
  if (!at.is_array() || !held.is_array()) return nullptr;
  // Readings count from the start of the warm-up, samples from its end.
  const double from = record.warmup_seconds + record.course->steady_from;
  for (const HoldReason& reason : hold_reasons)
    if (share_of(reason.name, at, held, from) >= least_share) return &reason;
  return nullptr;
}

std::string clocks_text(const SteadyRate& rate) {
  if (!(rate.clock_before_hz > 0) || !(rate.clock_after_hz < telling_clock * rate.clock_before_hz)) return "";
  return fmt::format(", its clock from {} to {}", format_rate(rate.clock_before_hz, "Hz"),
                     format_rate(rate.clock_after_hz, "Hz"));
}

std::string reason_text(const SteadyRate& rate) {
  if (rate.held_by == nullptr)
    return "nothing that was read says why: other load, heat, or a limit of the host; run again with nothing beside it";
  return fmt::format("{} held it down{}; {}", rate.held_by->words,
                     rate.is_normal() ? ", which is normal under sustained load" : "", rate.held_by->remedy);
}

}  // namespace

std::optional<SteadyRate> steady_rate_of(const CaseSummary& one, const Record& record) {
  if (!record.course || !usable(record) || record.metrics.empty()) return std::nullopt;
  const Metric& headline = record.metrics.front();
  const Metric* const first = metric_named(record, "first_" + headline.name);
  if (first == nullptr || !(first->value > 0) || !(headline.value > 0)) return std::nullopt;
  const double last = record.samples.at.empty() ? 0 : record.samples.at.back() + 1;
  SteadyRate rate{.summary = &one,
                  .record = &record,
                  .first = first->value,
                  .steady = headline.value,
                  .settled_at = record.course->settled_at,
                  .clock_before_hz = median_clock(record, 0, part_until(record)),
                  .clock_after_hz = median_clock(record, record.course->steady_from, last),
                  .held_by = held_by(record)};
  if (const Metric* const per_watt = metric_named(record, headline.name + "_per_watt")) rate.per_watt = per_watt->value;
  return rate;
}

std::vector<SteadyRate> steady_rates(const RunSummary& run) {
  std::vector<SteadyRate> rates;
  for (const CaseSummary& one : run.cases) {
    std::optional<SteadyRate> first;
    for (const Record* record : one.repeats)
      if (!first) first = steady_rate_of(one, *record);
    if (first) rates.push_back(*first);
  }
  return rates;
}

std::string steady_text(const SteadyRate& rate) {
  const std::string& unit = rate.record->metrics.front().unit;
  std::string text =
      fmt::format("{} in the first seconds, {} steady ({}{})", format_rate(rate.first, unit),
                  format_rate(rate.steady, unit), rate.lost() > 0 ? "-" : "+", format_percent(std::abs(rate.lost())));
  if (!rate.settled_at)
    text += ", still changing at the end";
  else if (*rate.settled_at > 0)
    text += fmt::format(" from {} on", format_seconds(*rate.settled_at));
  if (rate.per_watt) text += fmt::format("; {}", format_rate(*rate.per_watt, unit + "/W"));
  return text;
}

std::string fall_text(const SteadyRate& rate) {
  if (!rate.fell()) return "";
  const std::string& unit = rate.record->metrics.front().unit;
  return fmt::format("its rate fell by {}{}, from {} to {}{}: {}", format_percent(rate.lost()),
                     rate.settled_at ? fmt::format(" and stayed there from {} on", format_seconds(*rate.settled_at))
                                     : " and was still changing at the end",
                     format_rate(rate.first, unit), format_rate(rate.steady, unit), clocks_text(rate),
                     reason_text(rate));
}

}  // namespace warpmark
