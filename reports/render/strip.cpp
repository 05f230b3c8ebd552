// SPDX-License-Identifier: Apache-2.0
#include "reports/render/strip.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/units.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/outside_json.h"
#include "reports/render/bands.h"
#include "reports/render/chart.h"
#include "reports/render/facts.h"
#include "reports/render/strip_rows.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t lane_height = 34;  // names of families, and what held the clock down

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
  constexpr std::array bands_drawn{band_kinds[0].name, band_kinds[1].name, band_kinds[2].name};
  strip.spec["layer"] = layers_with_rows(strip.spec["layer"], rows, bands_drawn, height);
  strip.spec["height"] = height_without_gap(height);
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
