// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/units.h"
#include "harness/measure/course.h"
#include "harness/stats/order.h"

namespace warpmark {

Metric headline(const Benchmark& benchmark, const Case& at, const DeviceInfo& device, const Record& record) {
  const Rate& rate = benchmark.rate;
  const double amount = rate.amount(record.work), seconds = headline_seconds(record);
  Metric metric{.name = std::string(rate.name),
                .unit = std::string(unit_of(rate, at.kernel.dtype)),
                .value = rate.better == Better::higher ? amount / seconds : seconds / amount,
                .better = rate.better};
  const CeilingRule rule = benchmark.ceiling(at, device);
  const auto found = device.ceilings.find(rule.name);
  if (found == device.ceilings.end()) {
    metric.ceiling_source = rule.name.empty() ? rule.why_none : fmt::format("the device does not state {}", rule.name);
    return metric;
  }
  const Ceiling& ceiling = found->second;
  metric.ceiling = ceiling.value;
  metric.ceiling_source = fmt::format("{}: {}", name_of(ceiling.kind), ceiling.derivation);
  if (ceiling.value) metric.of_ceiling = metric.value / *ceiling.value;
  if (!record.samples.probe.empty()) metric.of_ceiling_at_clock = metric.value / median(sorted(record.samples.probe));
  return metric;
}

void add_percentiles(const Summary& stats, std::vector<Metric>& metrics) {
  constexpr std::int64_t enough_for_p99 = 100;
  const Metric first = metrics.front();
  const auto add = [&](std::string_view which, double seconds) {
    metrics.push_back({.name = fmt::format("{}_{}", first.name, which),
                       .unit = first.unit,
                       .value = seconds,
                       .better = first.better,
                       .ceiling_source = first.ceiling_source});
  };
  if (stats.n >= enough_for_p99) add("p99", stats.p99);
  if (stats.p999) add("p999", *stats.p999);
}

std::string impossible(const Metric& metric, const DeviceInfo& device, std::string_view ceiling) {
  if (!std::isfinite(metric.value) || metric.value <= 0)
    return fmt::format("{} is {}: the clock did not advance between start and end of the samples", metric.name,
                       metric.value);
  const auto found = device.ceilings.find(ceiling);
  if (found == device.ceilings.end() || found->second.kind != CeilingKind::derived || !metric.of_ceiling) return {};
  // Some cards run faster than the clock that they state, which the probe beside the samples sees.
  if (std::min(*metric.of_ceiling, metric.of_ceiling_at_clock.value_or(*metric.of_ceiling)) <= ceiling_tolerance)
    return {};
  return fmt::format("{} is {} of what the device can do ({}): the work, the clock or the ceiling is wrong",
                     format_rate(metric.value, metric.unit), format_percent(*metric.of_ceiling),
                     found->second.derivation);
}

}  // namespace warpmark
