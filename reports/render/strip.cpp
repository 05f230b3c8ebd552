// SPDX-License-Identifier: Apache-2.0
#include "reports/render/strip.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/units.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/outside_json.h"
#include "reports/render/chart.h"
#include "reports/render/facts.h"
#include "reports/render/strip_rows.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t lane_height = 34;  // names of families, and what held the clock down
constexpr double least_of_highest = 0.8;
constexpr std::size_t title_height = 20, band_height = 66, band_gap = 12;

bool has_kind(const json& rows, std::string_view kind) {
  return std::any_of(rows.begin(), rows.end(), [&](const json& row) { return row["kind"] == kind; });
}

bool has_limit(const json& rows, std::string_view kind) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const json& row) { return row["kind"] == kind && row.contains("limit"); });
}

/// An axis that followed readings which hardly move would make mountains of them.
double lowest_shown(const json& rows, std::string_view kind) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const json& row : rows) {
    if (row["kind"] != kind || !row.contains("value")) continue;
    low = std::min(low, row["value"].get<double>());
    high = std::max(high, row["value"].get<double>());
  }
  return std::min(low, least_of_highest * high);
}

/// The layers of which there is something to draw, the bands one below another.
json layers_of(const json& layers, const json& rows, std::size_t& height) {
  json kept = json::array();
  for (const json& layer : layers) {
    const auto name = layer["name"].get<std::string>();
    const std::string kind = name.substr(0, name.find("_title"));
    if (!has_kind(rows, kind)) continue;
    kept.push_back(layer);
    const bool band =
        std::any_of(band_kinds.begin(), band_kinds.end(), [&](const auto& one) { return one.name == kind; });
    if (!band) continue;
    json& y = kept.back()["encoding"]["y"];
    if (name != kind) {
      y["value"] = height + 10;
      continue;
    }
    // A band's title comes before it in the template, and its line after the limit: an empty layer has no extent, and
    // Vega warns of it.
    if (!has_limit(rows, kind)) kept.back()["layer"] = json::array({layer["layer"].back()});
    y["scale"]["domainMin"] = lowest_shown(rows, kind);
    y["scale"]["range"] = {height + title_height + band_height, height + title_height};
    height += title_height + band_height + band_gap;
  }
  return kept;
}

/// What the device cannot pass: a line to hold the readings against.
json limit_rows(const DeviceReadings& readings, const json& rows) {
  json limits = json::array();
  if (readings.clock_max_hz && has_kind(rows, "clock"))
    limits.push_back({{"kind", "clock"},
                      {"limit", *readings.clock_max_hz / 1e9},
                      {"text", "highest " + format_rate(*readings.clock_max_hz, "Hz")}});
  if (readings.power_limit_w && has_kind(rows, "power"))
    limits.push_back({{"kind", "power"},
                      {"limit", *readings.power_limit_w},
                      {"text", fmt::format("limit {:.0f} W", *readings.power_limit_w)}});
  return limits;
}

std::string range_of(const std::vector<DrawnReading>& readings, const BandKind& kind) {
  const auto [low, high] = std::minmax_element(
      readings.begin(), readings.end(), [](const DrawnReading& a, const DrawnReading& b) { return a.value < b.value; });
  return fmt::format("{} from {:.3g} to {:.3g} {}", kind.name, low->value, high->value, kind.unit);
}

std::string title_of(const DeviceSeries& series) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < band_kinds.size(); ++i)
    if (!series.bands.at(i).empty()) names.emplace_back(band_kinds.at(i).name);
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string description_of(const Strip& strip, const DeviceSeries& series) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < band_kinds.size(); ++i)
    if (!series.bands.at(i).empty()) parts.push_back(range_of(series.bands.at(i), band_kinds.at(i)));
  std::string text = fmt::format("{} of {} over the run: {}.", strip.title, strip.device, fmt::join(parts, ", "));
  if (strip.heat) text += " Some records were held down by heat or a hardware slowdown.";
  if (strip.limit) text += " Some were at the power limit.";
  return text + " The table below it holds the numbers of each benchmark.";
}

std::string watts_text(double watts) { return fmt::format("{:.0f} W", watts); }

std::string held_text(const GpuConditions& held) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < hold_reasons.size(); ++i)
    if (hold_reasons.at(i).kind != HoldKind::benign && held.share(i) > least_held_share)
      parts.push_back(fmt::format("{} {}", hold_reasons.at(i).words, format_percent(held.share(i))));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// A row for each benchmark: its records together.
json table_of(const DeviceSeries& series, const Document& document, const json& device) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Record*>> records;
  for (const Window& window : series.windows) {
    std::vector<const Record*>& own = records[window.record->benchmark];
    if (own.empty()) order.push_back(window.record->benchmark);
    own.push_back(window.record);
  }
  json rows = json::array();
  for (const std::string& benchmark : order) {
    const DeviceReadings readings = readings_of(document, device, records[benchmark]);
    json cells = {
        std::to_string(records[benchmark].size()), readings.clock_hz ? format_rate(*readings.clock_hz, "Hz") : "",
        readings.power_w ? watts_text(*readings.power_w) : "",
        readings.temperature_c ? fmt::format("{:.0f} °C", *readings.temperature_c) : "", held_text(readings.held)};
    rows.push_back({{"name", benchmark}, {"cells", std::move(cells)}});
  }
  return {{"heads", {"Records", "Clock, median", "Power, most", "Temperature, most", "Held down"}},
          {"rows", std::move(rows)}};
}

Strip strip_of(const Result& result, std::size_t device, const DeviceReadings& readings, const DeviceSeries& series) {
  Strip strip{.letter = result.letter, .device = readings.device, .title = title_of(series)};
  const auto bands = std::count_if(series.bands.begin(), series.bands.end(), [](const auto& b) { return !b.empty(); });
  const std::size_t most = most_readings_drawn / static_cast<std::size_t>(bands);
  json rows = window_rows(series.windows);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < band_kinds.size(); ++i) {
    json band = band_rows(band_kinds.at(i), series.bands.at(i), most);
    drawn += band.size();
    for (json& row : band) rows.push_back(std::move(row));
  }
  for (json& row : limit_rows(readings, rows)) rows.push_back(std::move(row));
  strip.heat = has_kind(rows, "heat");
  strip.limit = has_kind(rows, "limit");
  if (drawn < series.count())
    strip.note =
        fmt::format("{} of {} readings are drawn: the lowest and the highest of each interval.", drawn, series.count());
  strip.description = description_of(strip, series);
  strip.spec = empty_template("strip.vl.json");
  std::size_t height = lane_height;
  strip.spec["layer"] = layers_of(strip.spec["layer"], rows, height);
  strip.spec["height"] = height - band_gap;
  strip.spec["description"] = strip.description;
  strip.spec["data"] = {{"values", std::move(rows)}};
  strip.table = table_of(series, *result.document, result.document->devices[device]);
  return strip;
}

}  // namespace

std::vector<Strip> strips_of(const Result& result) {
  std::vector<Strip> strips;
  const double beginning = beginning_of(*result.document);
  const std::vector<DeviceReadings> devices = device_readings(*result.document);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceSeries series = series_of_device(*result.document, devices[i].device, beginning);
    if (!series.empty()) strips.push_back(strip_of(result, i, devices[i], series));
  }
  return strips;
}

}  // namespace warpmark
