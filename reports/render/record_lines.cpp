// SPDX-License-Identifier: Apache-2.0
#include "reports/render/record_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reports/render/template.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t bins = 1000;
constexpr std::size_t histogram_bins = 400;

double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

/// JSON null for what is not a number.
json number(double value) { return std::isfinite(value) ? json(rounded(value)) : json(nullptr); }

json series_of(const std::vector<double>& values) {
  json series = json::array();
  for (const double value : values) series.push_back(number(value));
  const bool constant =
      !series.empty() && std::all_of(series.begin(), series.end(), [&](const json& one) { return one == series[0]; });
  return constant && series.size() > 1 ? series[0] : series;
}

/// What one bin of a thinned series holds.
struct Bin {
  double low = INFINITY, high = -INFINITY, sum = 0;
  std::size_t count = 0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
    ++count;
  }
  [[nodiscard]] double mean() const { return count == 0 ? NAN : sum / static_cast<double>(count); }
};

std::vector<Bin> binned(const std::vector<double>& values) {
  std::vector<Bin> made(std::min(bins, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) made[i * made.size() / values.size()].add(values[i]);
  return made;
}

json means_of(const std::vector<double>& values) {
  std::vector<double> means;
  for (const Bin& bin : binned(values)) means.push_back(bin.mean());
  return series_of(means);
}

/// Means alone would make the distribution narrower than it is, so it is counted before they are taken.
json counts_of(const std::vector<double>& values) {
  Bin all;
  for (const double value : values) all.add(value);
  if (all.count == 0) return json::array();
  // Each end divided for itself: what lies between the ends may be no finite number.
  const double width = std::max({all.high / histogram_bins - all.low / histogram_bins, std::abs(all.high) * 1e-9,
                                 std::numeric_limits<double>::min()});
  std::vector<std::size_t> counts(histogram_bins);
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double above = value - all.low;
    const double place = std::isfinite(above) ? above / width : value / width - all.low / width;
    ++counts[static_cast<std::size_t>(std::min(place, histogram_bins - 1.0))];
  }
  json pairs = json::array();
  for (std::size_t i = 0; i < histogram_bins; ++i)
    if (counts[i] > 0) pairs.push_back({rounded(all.low + (static_cast<double>(i) + 0.5) * width), counts[i]});
  return pairs;
}

json optional_number(const std::optional<double>& value) { return value ? number(*value) : json(nullptr); }

json metric_of(const Metric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"value", std::isfinite(metric.value) ? json(metric.value) : json(nullptr)},
          {"better", std::string(name_of(metric.better))},
          {"ceiling", optional_number(metric.ceiling)},
          {"of_ceiling", optional_number(metric.of_ceiling)}};
}

json stats_of(const Summary& stats) {
  json made{{"n", stats.n}, {"drift", number(stats.drift)}};
  for (const auto& [name, value] : {std::pair{"median", stats.median},
                                    {"min", stats.min},
                                    {"max", stats.max},
                                    {"p5", stats.p5},
                                    {"p95", stats.p95}})
    made[name] = number(value);
  made["ci_low"] = optional_number(stats.ci_low);
  made["ci_high"] = optional_number(stats.ci_high);
  if (stats.modes)
    made["modes"] = {{"levels", {number(stats.modes->levels[0]), number(stats.modes->levels[1])}},
                     {"shares", {number(stats.modes->shares[0]), number(stats.modes->shares[1])}}};
  return made;
}

/// Without the series: the strip of the run has them, once and thinned.
json telemetry_of(const Record& record) {
  json telemetry = record.telemetry;
  if (const auto sampled = telemetry.find("sampled"); sampled != telemetry.end() && sampled->is_object())
    sampled->erase("series");
  return telemetry;
}

json line_of(const Record& record, const std::string& letter) {
  json line{{"result", letter},
            {"id", record.id},
            {"benchmark", record.benchmark},
            {"device", record.device},
            {"variant", record.at.kernel.variant},
            {"dtype", arithmetic_of(record)},
            {"mode", std::string(name_of(record.at.mode))},
            {"repeat", record.repeat + 1},
            {"status", std::string(name_of(record.status))},
            {"why", record.why}};
  line["metrics"] = json::array();
  for (const Metric& metric : record.metrics) line["metrics"].push_back(metric_of(metric));
  if (record.stats) line["stats"] = stats_of(*record.stats);
  if (!record.samples.seconds.empty()) line["samples"] = page_samples(record.samples);
  if (record.verification)
    line["verification"] = {{"error", number(record.verification->error)},
                            {"allowed", number(record.verification->allowed)}};
  if (!record.about.empty()) line["about"] = record.about;
  if (record.telemetry.is_object() && !record.telemetry.empty()) line["telemetry"] = telemetry_of(record);
  return line;
}

}  // namespace

json page_samples(const Samples& samples) {
  json made{{"of", samples.seconds.size()}};
  const bool thin = samples.seconds.size() > most_points;
  const auto add = [&](const char* name, const std::vector<double>& values) {
    if (values.size() == samples.seconds.size()) made[name] = thin ? means_of(values) : series_of(values);
  };
  add("seconds", samples.seconds);
  add("clock_hz", samples.clock_hz);
  add("probe", samples.probe);
  if (samples.batch > 1) made["batch"] = samples.batch;
  if (!thin) return made;
  std::vector<double> low, high;
  for (const Bin& bin : binned(samples.seconds)) {
    low.push_back(bin.low);
    high.push_back(bin.high);
  }
  made["low"] = series_of(low);
  made["high"] = series_of(high);
  made["counts"] = counts_of(samples.seconds);
  made["points"] = low.size();
  return made;
}

std::string record_lines(const std::vector<Result>& results) {
  std::string lines;
  for (const Result& result : results)
    for (const CaseSummary& one : result.run.cases)
      for (const Record* record : one.repeats) lines += script_json(line_of(*record, result.letter)) + "\n";
  return lines;
}

}  // namespace warpmark
