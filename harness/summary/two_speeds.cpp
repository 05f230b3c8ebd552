// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/two_speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/core/units.h"
#include "harness/stats/modes.h"
#include "harness/stats/order.h"
#include "harness/summary/conditions.h"

namespace warpmark {
namespace {

// As far apart as the levels of samples have to be (harness/stats/modes.h).
constexpr double least_ratio = 1.10;
// Repeats are few: only when those of one speed agree ten times better than the speeds do, they are two speeds.
constexpr double most_disagreement = 0.1;
// A clock or a probe that differs by less does not explain levels that lie 10 % apart.
constexpr double telling_ratio = 1.05;

using Repeats = std::vector<const Record*>;

/// The samples of all repeats in the order they were taken. Readings beside them are there for all samples or none.
struct Pooled {
  std::vector<double> seconds{}, clock_hz{}, probe{};
};

Pooled pooled(const Repeats& repeats) {
  Pooled all;
  for (const Record* record : repeats) {
    const Samples& samples = record->samples;
    all.seconds.insert(all.seconds.end(), samples.seconds.begin(), samples.seconds.end());
    all.clock_hz.insert(all.clock_hz.end(), samples.clock_hz.begin(), samples.clock_hz.end());
    all.probe.insert(all.probe.end(), samples.probe.begin(), samples.probe.end());
  }
  return all;
}

/// A time of the case as its headline metric; as a time where it has none.
std::string speed_text(const Record& record, double seconds) {
  if (record.metrics.empty() || !(record.stats->median > 0)) return format_seconds(seconds);
  const Metric& metric = record.metrics.front();
  const double factor = seconds / record.stats->median;
  return format_value(metric.better == Better::higher ? metric.value / factor : metric.value * factor, metric.unit);
}

/// Median of the readings beside the samples of each level, the fast one first; empty where they do not differ in the
/// direction of the speed, or are not there.
std::optional<std::array<double, 2>> readings_that_differ(const Pooled& all, const std::vector<double>& readings,
                                                          double boundary) {
  if (readings.size() != all.seconds.size()) return std::nullopt;
  std::array<std::vector<double>, 2> of_level;
  for (std::size_t i = 0; i < readings.size(); ++i)
    of_level.at(all.seconds[i] < boundary ? 0 : 1).push_back(readings[i]);
  if (of_level[0].empty() || of_level[1].empty()) return std::nullopt;
  const std::array<double, 2> medians{median(sorted(of_level[0])), median(sorted(of_level[1]))};
  if (!(medians[0] >= telling_ratio * medians[1])) return std::nullopt;
  return medians;
}

/// Who else had the CPUs meanwhile; empty where that is not known or too little to matter.
std::string outside_load(const Repeats& repeats) {
  const Conditions conditions = conditions_of(repeats);
  if (matters(conditions, Condition::others))
    return fmt::format("other programs took {} of the time of its CPUs", format_percent(*conditions.others_share));
  if (matters(conditions, Condition::steal))
    return fmt::format("the hypervisor gave {} of its CPU time to other guests",
                       format_percent(*conditions.steal_share));
  return {};
}

/// What the evidence says of the cause, and no more.
std::string cause_of(const Record& record, const Pooled& all, double boundary, const std::string& outside) {
  if (const auto clocks = readings_that_differ(all, all.clock_hz, boundary))
    return fmt::format("the core clock switches with them ({} and {})", format_rate((*clocks)[0], "Hz"),
                       format_rate((*clocks)[1], "Hz"));
  if (!outside.empty()) return outside;
  if (readings_that_differ(all, all.probe, boundary))
    return "the probe between the samples switches with them, so it is the clock or the unit that computes, not the "
           "kernel";
  const std::string unit = record.metrics.empty() ? "" : record.metrics.front().unit;
  if (unit == "FLOP/s" || unit == "OP/s")
    return "the clock or the matrix engine switches, or a neighbour on the same host does";
  return "something outside the program switches: the clock, the placement of memory, or a neighbour on the same host";
}

std::string changes_text(std::int64_t count) { return fmt::format("{} {}", count, count == 1 ? "change" : "changes"); }

std::optional<TwoSpeeds> of_samples(const Repeats& repeats, bool explains_spread, const std::string& outside) {
  const auto has_modes = [](const Record* record) { return record->stats->modes.has_value(); };
  const auto first = std::find_if(repeats.begin(), repeats.end(), has_modes);
  if (first == repeats.end()) return std::nullopt;
  const Record& record = **first;
  const Pooled all = pooled(repeats);
  const std::optional<TwoModes> modes = two_modes(all.seconds);
  if (!modes) return std::nullopt;
  const std::string which = explains_spread ? "" : fmt::format(" of repeat {}", record.repeat + 1);
  return TwoSpeeds{
      .sentence = fmt::format("two speeds: {} in {:.0f} % of the samples{}, {} in {:.0f} %, {} between them: {}",
                              speed_text(record, modes->levels[0]), 100 * modes->shares[0], which,
                              speed_text(record, modes->levels[1]), 100 * modes->shares[1],
                              changes_text(modes->switches), cause_of(record, all, modes->boundary, outside)),
      .explains_spread = explains_spread,
      .from_outside = !outside.empty()};
}

/// "1 and 3"
std::string numbers_of(const Repeats& repeats) {
  std::vector<int> numbers;
  for (const Record* record : repeats) numbers.push_back(record->repeat + 1);
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[i]);
  }
  return fmt::format("{} {}", numbers.size() == 1 ? "repeat" : "repeats", text);
}

double seconds_of(const Repeats& ascending) {
  std::vector<double> medians;
  for (const Record* record : ascending) medians.push_back(record->stats->median);
  return median(medians);
}

/// Whole repeats at one speed each: the machine changed between them.
std::optional<TwoSpeeds> of_repeats(Repeats repeats, const std::string& outside) {
  if (repeats.size() < 3) return std::nullopt;
  const auto time = [](const Record* record) { return std::log(record->stats->median); };
  std::sort(repeats.begin(), repeats.end(), [&](const Record* a, const Record* b) { return time(a) < time(b); });
  const auto step = [&](auto at) { return time(*at) - time(*(at - 1)); };
  auto cut = repeats.begin() + 1;
  for (auto at = cut; at != repeats.end(); ++at)
    if (step(at) > step(cut)) cut = at;
  const double inside = std::max(time(*(cut - 1)) - time(repeats.front()), time(repeats.back()) - time(*cut));
  if (!(step(cut) >= std::log(least_ratio)) || inside > most_disagreement * step(cut)) return std::nullopt;
  const Repeats fast(repeats.begin(), cut), slow(cut, repeats.end());
  return TwoSpeeds{
      .sentence = fmt::format("two speeds: {} in {}, {} in {}: {}", speed_text(*fast.front(), seconds_of(fast)),
                              numbers_of(fast), speed_text(*slow.front(), seconds_of(slow)), numbers_of(slow),
                              outside.empty() ? "the machine changed between the repeats" : outside),
      .explains_spread = true,
      .from_outside = !outside.empty()};
}

}  // namespace

std::optional<TwoSpeeds> two_speeds(const CaseSummary& summary) {
  Repeats repeats;
  for (const Record* record : summary.repeats)
    if (usable(*record) && record->stats && record->stats->median > 0) repeats.push_back(record);
  const std::string outside = outside_load(repeats);  // of all: one may be too short for a share
  if (auto shared = of_samples(repeats, true, outside)) return shared;
  if (auto whole = of_repeats(repeats, outside)) return whole;
  // The repeats do not share the levels: the first that has two speaks for itself.
  for (const Record* record : repeats)
    if (auto own = of_samples({record}, false, outside)) return own;
  return std::nullopt;
}

}  // namespace warpmark
