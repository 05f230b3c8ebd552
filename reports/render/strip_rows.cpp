// SPDX-License-Identifier: Apache-2.0
#include "reports/render/strip_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>

#include "harness/core/units.h"
#include "harness/summary/gpu_conditions.h"
#include "harness/summary/outside_json.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double most_seconds = 1e10;  // what a machine has been up for, generously
constexpr double least_gap_seconds = 10;
constexpr double most_parts = 50;

double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }
double in_milliseconds(double seconds) { return std::round(seconds * 1000) / 1000; }

std::optional<double> begin_of(const Record& record) {
  const auto begin = number_in(part_of(record.telemetry, "window"), "begin");
  return begin && *begin < most_seconds ? begin : std::nullopt;
}

std::optional<double> number_at(const json& list, std::size_t index, double most) {
  if (!list.is_array() || index >= list.size() || !list[index].is_number()) return std::nullopt;
  const double value = list[index].get<double>();
  return std::isfinite(value) && value >= 0 && value < most ? std::optional(value) : std::nullopt;
}

void add_series(const Record& record, double begin, DeviceSeries& to) {
  const json& series = part_of(part_of(record.telemetry, "sampled"), "series");
  const json& at = part_of(series, "at");
  if (!at.is_array()) return;
  for (std::size_t band = 0; band < band_kinds.size(); ++band) {
    const json& values = part_of(series, band_kinds.at(band).key);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const auto seconds = number_at(at, i, most_seconds), value = number_at(values, i, band_kinds.at(band).most);
      if (seconds && value)
        to.bands.at(band).push_back({.at = begin + *seconds, .value = *value / band_kinds.at(band).factor});
    }
  }
}

bool is_earlier(const DrawnReading& a, const DrawnReading& b) { return a.at < b.at; }

/// What a span is named by, from the finest down to the coarsest.
std::string name_of_case(const Record& record) { return fmt::format("{}, repeat {}", record.id, record.repeat + 1); }
std::string name_of_benchmark(const Record& record) { return record.benchmark; }
std::string name_of_family(const Record& record) { return record.benchmark.substr(0, record.benchmark.find('/')); }

/// Neighbours of one name together.
struct Span {
  std::string name{};
  double from = 0, to = 0;
  std::size_t records = 0;
};

std::vector<Span> spans_of(const std::vector<Window>& windows, const std::function<std::string(const Record&)>& name) {
  std::vector<Span> spans;
  for (const Window& window : windows) {
    std::string own = name(*window.record);
    if (spans.empty() || spans.back().name != own)
      spans.push_back({.name = std::move(own), .from = window.begin, .to = window.end});
    spans.back().to = std::max(spans.back().to, window.end);
    ++spans.back().records;
  }
  return spans;
}

/// As fine as the number of spans allows; none where even families take turns too often.
std::vector<Span> finest_spans(const std::vector<Window>& windows) {
  for (auto* const name : {&name_of_case, &name_of_benchmark, &name_of_family}) {
    std::vector<Span> spans = spans_of(windows, *name);
    if (spans.size() <= most_spans) return spans;
  }
  return {};
}

json row_of(std::string_view kind, double from, double to) {
  return {{"kind", kind}, {"from", in_milliseconds(from)}, {"to", in_milliseconds(to)}};
}

void add_spans(const std::vector<Window>& windows, json& rows) {
  bool odd = false;
  for (const Span& span : finest_spans(windows)) {
    json row = row_of("span", span.from, span.to);
    row["case"] = span.records > 1 ? fmt::format("{}: {}", span.name, count_text(span.records, "record")) : span.name;
    row["odd"] = odd = !odd;
    rows.push_back(std::move(row));
  }
  const double length = windows.back().end - windows.front().begin;
  std::vector<Span> families = spans_of(windows, name_of_family);
  if (families.size() > most_spans) return;
  for (const Span& family : families) {
    json row = row_of("family", family.from, family.to);
    row["text"] = family.name;
    row["share"] = length > 0 ? rounded((family.to - family.from) / length) : 1;
    rows.push_back(std::move(row));
  }
}

/// Neighbours that were held down for the same reason together: a long run has thousands of records.
void add_held(const std::vector<Window>& windows, json& rows) {
  std::string last_text;
  for (const Window& window : windows) {
    GpuConditions conditions;
    add(*window.record, conditions);
    const auto held = held_down(conditions);
    const bool heat = held && held->share > least_held_share;
    if (!heat && !at_power_limit(conditions)) {
      last_text.clear();
      continue;
    }
    const std::string text = heat ? fmt::format("{} held it down", held->reason->words) : "at its power limit";
    if (text == last_text) {
      rows.back()["to"] = in_milliseconds(window.end);
      continue;
    }
    json row = row_of(heat ? "heat" : "limit", window.begin, window.end);
    row["case"] = name_of_case(*window.record) + (windows.size() > most_spans ? " and on" : "");
    row["text"] = last_text = text;
    rows.push_back(std::move(row));
  }
}

}  // namespace

bool DeviceSeries::empty() const { return count() == 0; }

std::size_t DeviceSeries::count() const {
  std::size_t count = 0;
  for (const auto& band : bands) count += band.size();
  return count;
}

double beginning_of(const Document& document) {
  double first = most_seconds;
  for (const Record& record : document.records) first = std::min(first, begin_of(record).value_or(first));
  return first;
}

DeviceSeries series_of_record(const Record& record, double begin) {
  DeviceSeries series;
  add_series(record, begin, series);
  return series;
}

DeviceSeries series_of_device(const Document& document, const std::string& device, double beginning) {
  DeviceSeries series;
  for (const Record& record : document.records) {
    const auto begin = begin_of(record);
    if (record.device != device || !begin) continue;
    const double end = number_in(part_of(record.telemetry, "window"), "end").value_or(*begin);
    series.windows.push_back(
        {.record = &record, .begin = *begin - beginning, .end = std::clamp(end, *begin, most_seconds) - beginning});
    add_series(record, *begin - beginning, series);
  }
  std::stable_sort(series.windows.begin(), series.windows.end(),
                   [](const Window& a, const Window& b) { return a.begin < b.begin; });
  for (auto& band : series.bands) std::stable_sort(band.begin(), band.end(), is_earlier);
  return series;
}

std::vector<DrawnReading> thinned(const std::vector<DrawnReading>& readings, std::size_t most) {
  if (readings.size() <= most || most < 2) return readings;
  const std::size_t bins = most / 2;
  const double start = readings.front().at, length = readings.back().at - start;
  const auto bin_of = [&](const DrawnReading& one) {
    const double place = length > 0 ? (one.at - start) / length * static_cast<double>(bins) : 0;
    return std::min(bins - 1, static_cast<std::size_t>(place));
  };
  std::vector<DrawnReading> kept;
  for (auto from = readings.begin(); from != readings.end();) {
    const auto to = std::find_if(from, readings.end(),
                                 [&, bin = bin_of(*from)](const DrawnReading& one) { return bin_of(one) != bin; });
    auto [low, high] =
        std::minmax_element(from, to, [](const DrawnReading& a, const DrawnReading& b) { return a.value < b.value; });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (high != low) kept.push_back(*high);
    from = to;
  }
  return kept;
}

json window_rows(const std::vector<Window>& windows) {
  json rows = json::array();
  if (windows.empty()) return rows;
  add_spans(windows, rows);
  json held = json::array();
  add_held(windows, held);
  for (json& row : held) rows.push_back(std::move(row));
  return rows;
}

json band_rows(const BandKind& kind, const std::vector<DrawnReading>& readings, std::size_t most) {
  json rows = json::array();
  if (readings.empty()) return rows;
  const double gap = std::max(least_gap_seconds, (readings.back().at - readings.front().at) / most_parts);
  int part = 0;
  double last = readings.front().at;
  for (const DrawnReading& one : thinned(readings, most)) {
    if (one.at - last > gap) ++part;
    last = one.at;
    rows.push_back(
        {{"kind", kind.name}, {"t", in_milliseconds(one.at)}, {"value", rounded(one.value)}, {"part", part}});
  }
  return rows;
}

}  // namespace warpmark
