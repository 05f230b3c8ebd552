// SPDX-License-Identifier: Apache-2.0
#include "reports/render/steady_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "harness/core/hold_reasons.h"
#include "harness/core/units.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/steady.h"
#include "reports/render/bands.h"
#include "reports/render/chart.h"
#include "reports/render/strip_rows.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t lane_height = 14;  // what held the clock down
constexpr double forever = std::numeric_limits<double>::infinity();

/// The rates of the samples, in the headline's unit: the headline is the rate of its median seconds.
std::vector<DrawnReading> rates_of(const Record& record) {
  const Metric& headline = record.metrics.front();
  const double amount = headline.unit == "B/s" ? record.work.bytes() : record.work.flops;
  std::vector<DrawnReading> rates;
  for (std::size_t i = 0; i < std::min(record.samples.at.size(), record.samples.seconds.size()); ++i) {
    const double at = record.samples.at[i], rate = amount / record.samples.seconds[i];
    if (std::isfinite(at) && std::isfinite(rate)) rates.push_back({.at = at, .value = rate});
  }
  return rates;
}

double end_of(const Record& record) {
  const Samples& samples = record.samples;
  if (samples.at.empty() || samples.seconds.empty()) return 0;
  return samples.at.back() + samples.seconds.back() * static_cast<double>(samples.batch);
}

/// What is drawn of the reasons of one point; null where nothing held the clock down that matters.
const HoldReason* worst_of(const json& reasons) {
  if (!reasons.is_array()) return nullptr;
  for (const HoldReason& reason : hold_reasons)
    if (reason.kind != HoldKind::benign && std::find(reasons.begin(), reasons.end(), reason.name) != reasons.end())
      return &reason;
  return nullptr;
}

/// Neighbours of one kind together.
json held_rows(const Record& record) {
  const json& series = part_of(part_of(record.telemetry, "sampled"), "series");
  const json &at = part_of(series, "at"), &held = part_of(series, "held_down");
  json rows = json::array();
  if (!at.is_array() || !held.is_array()) return rows;
  double from = 0;
  for (std::size_t i = 0; i < std::min(at.size(), held.size()); ++i) {
    if (!at[i].is_number()) continue;
    const double to = at[i].get<double>() - record.warmup_seconds, since = std::exchange(from, to);
    const HoldReason* const reason = worst_of(held[i]);
    if (reason == nullptr) continue;
    const std::string_view kind = reason->kind == HoldKind::flagged ? "heat" : "limit";
    if (!rows.empty() && rows.back()["kind"] == kind && rows.back()["to"] == since)
      rows.back()["to"] = to;
    else
      rows.push_back(
          {{"kind", kind}, {"from", since}, {"to", to}, {"text", fmt::format("{} held it down", reason->words)}});
  }
  return rows;
}

json level_row(double from, double to, double level, double factor, std::string text) {
  return {{"kind", "rate"}, {"limit", level / factor}, {"from", from}, {"to", to}, {"text", std::move(text)}};
}

json rows_of(const SteadyRate& rate, const Scale& scale) {
  const Record& record = *rate.record;
  const std::string& unit = record.metrics.front().unit;
  json rows = held_rows(record);
  const auto add = [&rows](json more) {
    for (json& row : more) rows.push_back(std::move(row));
  };
  std::vector<DrawnReading> rates = rates_of(record);
  for (DrawnReading& each : rates) each.value /= scale.factor;
  add(band_rows({.name = "rate", .key = "", .unit = unit}, rates, most_readings_drawn / 4));
  rows.push_back(level_row(0, record.course->first_until, rate.first, scale.factor,
                           format_rate(rate.first, unit) + " in the first seconds"));
  rows.push_back(level_row(record.course->steady_from, end_of(record), rate.steady, scale.factor,
                           format_rate(rate.steady, unit) + " steady"));
  if (rate.settled_at && *rate.settled_at > 0)
    rows.push_back(
        {{"kind", "settled"}, {"at", *rate.settled_at}, {"text", "settled at " + format_seconds(*rate.settled_at)}});
  const DeviceSeries series = series_of_record(record, -record.warmup_seconds);
  for (std::size_t i = 0; i < band_kinds.size(); ++i)
    add(band_rows(band_kinds.at(i), series.bands.at(i), most_readings_drawn / 4));
  return rows;
}

/// Mean of the readings of a band in a part; empty where there are none.
std::string mean_text(const DeviceSeries& series, std::size_t band, double from, double until, std::string_view unit) {
  double sum = 0, count = 0;
  for (const DrawnReading& reading : series.bands.at(band)) {
    if (reading.at < from || reading.at >= until) continue;
    sum += reading.value;
    ++count;
  }
  return count > 0 ? fmt::format("{:.3g} {}", sum / count, unit) : "";
}

json table_of(const SteadyRate& rate) {
  const Record& record = *rate.record;
  const std::string& unit = record.metrics.front().unit;
  const DeviceSeries series = series_of_record(record, -record.warmup_seconds);
  json rows = json::array();
  const auto add = [&](std::string name, double from, double until, double level, std::string per_watt) {
    json cells{fmt::format("{:.3g}", from), format_rate(level, unit)};
    for (std::size_t i = 0; i < band_kinds.size(); ++i)
      cells.push_back(mean_text(series, i, from, until, band_kinds.at(i).unit));
    cells.push_back(std::move(per_watt));
    rows.push_back({{"name", std::move(name)}, {"cells", std::move(cells)}});
  };
  add("First seconds", 0, record.course->first_until, rate.first, "");
  add(rate.settled_at ? "Steady" : "Last third, still changing", record.course->steady_from, forever, rate.steady,
      rate.per_watt ? format_rate(*rate.per_watt, unit + "/W") : "");
  return {{"heads", {"From, s", "Rate, median", "Clock", "Power", "Temperature", "For each watt"}},
          {"rows", std::move(rows)}};
}

SteadyStrip strip_of(const SteadyRate& rate) {
  const Record& record = *rate.record;
  const Scale scale = scale_of(std::max(rate.first, rate.steady), record.metrics.front().unit);
  SteadyStrip strip{.device = record.device,
                    .title = fmt::format("{} {}", record.benchmark, case_text(record)),
                    .line = steady_text(rate),
                    .fall = fall_text(rate)};
  json rows = rows_of(rate, scale);
  strip.heat = has_kind(rows, "heat");
  strip.limit = has_kind(rows, "limit");
  strip.spec = empty_template("steady.vl.json");
  constexpr std::array<std::string_view, 4> bands{"rate", "clock", "power", "temperature"};
  std::size_t height = lane_height;
  strip.spec["layer"] = layers_with_rows(strip.spec["layer"], rows, bands, height);
  for (json& layer : strip.spec["layer"])
    if (layer["name"] == "rate_title") layer["mark"]["text"] = fmt::format("Rate ({})", scale.unit);
  strip.spec["height"] = height_without_gap(height);
  strip.spec["description"] =
      fmt::format("{} over its seconds: {}.{} The table below it holds the numbers of its parts.", strip.title,
                  strip.line, strip.fall.empty() ? "" : " " + strip.fall + ".");
  strip.spec["data"] = {{"values", std::move(rows)}};
  strip.table = table_of(rate);
  return strip;
}

}  // namespace

std::vector<SteadyStrip> steady_strips_of(const Result& result) {
  std::vector<SteadyStrip> strips;
  for (const SteadyRate& rate : steady_rates(result.run)) strips.push_back(strip_of(rate));
  return strips;
}

}  // namespace warpmark
