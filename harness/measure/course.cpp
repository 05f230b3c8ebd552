// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/course.h"

#include <algorithm>
#include <limits>

#include "harness/stats/order.h"
#include "harness/stats/settle.h"

namespace warpmark {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double first_share = 0.2;
constexpr double longest_first = 5;  // seconds

/// Null where there is none.
nlohmann::json member(const nlohmann::json& of, const char* name) {
  return of.is_object() ? of.value(name, nlohmann::json()) : nlohmann::json();
}

/// Mean power in the part that the headline is of, by the thinned readings; of all of them where none lies there.
std::optional<double> steady_watts(const Record& record) {
  const nlohmann::json sampled = member(record.telemetry, "sampled"), series = member(sampled, "series");
  const nlohmann::json at = member(series, "at"), watts = member(series, "power_w");
  // Readings count from the start of the warm-up, samples from its end.
  const double from = record.warmup_seconds + record.course->steady_from;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < std::min(at.is_array() ? at.size() : 0, watts.is_array() ? watts.size() : 0); ++i) {
    if (!at[i].is_number() || !watts[i].is_number() || at[i].get<double>() < from) continue;
    sum += watts[i].get<double>();
    ++count;
  }
  if (count > 0) return sum / count;
  const nlohmann::json middle = member(member(sampled, "power_w"), "median");
  return middle.is_number() ? std::optional(middle.get<double>()) : std::nullopt;
}

}  // namespace

Course course_of(const Samples& samples) {
  const std::size_t n = samples.seconds.size();
  const double lasted = samples.at.back() + samples.seconds.back() * static_cast<double>(samples.batch);
  Course course{.first_until = std::min(first_share * lasted, longest_first),
                .steady_from = samples.at[n - (n + 2) / 3]};
  // The first sample begins some nanoseconds after the clock that it is counted from.
  if (const auto from = settled_from(samples.seconds))
    course.settled_at = course.steady_from = *from == 0 ? 0 : samples.at[*from];
  return course;
}

double seconds_between(const Samples& samples, double from, double until) {
  std::vector<double> within;
  for (std::size_t i = 0; i < samples.seconds.size(); ++i)
    if (samples.at[i] >= from && samples.at[i] < until) within.push_back(samples.seconds[i]);
  return median(sorted(within));
}

double headline_seconds(const Record& record) {
  return record.course ? seconds_between(record.samples, record.course->steady_from, forever) : record.stats->median;
}

std::vector<Metric> course_metrics(const Record& record, const Metric& headline) {
  if (!record.course) return {};
  Metric first = headline;
  const double ratio = headline_seconds(record) / seconds_between(record.samples, 0, record.course->first_until);
  const double factor = headline.better == Better::higher ? ratio : 1 / ratio;
  first.name = "first_" + headline.name;
  first.value *= factor;
  first.gate = false;
  first.of_ceiling_at_clock.reset();
  if (first.of_ceiling) *first.of_ceiling *= factor;
  std::vector<Metric> metrics{first};
  if (record.course->settled_at)
    metrics.push_back({.name = "settling_time",
                       .unit = "s",
                       .value = *record.course->settled_at,
                       .better = Better::lower,
                       .ceiling_source = "none: it is a time"});
  return metrics;
}

void add_per_watt(Record& record) {
  if (!record.course || record.metrics.empty() || record.metrics.front().better == Better::lower) return;
  const std::optional<double> watts = steady_watts(record);
  if (!watts || !(*watts > 0)) return;
  const Metric& headline = record.metrics.front();
  record.metrics.push_back({.name = headline.name + "_per_watt",
                            .unit = headline.unit + "/W",
                            .value = headline.value / *watts,
                            .ceiling_source = "none: it is not a rate of the device alone"});
}

}  // namespace warpmark
