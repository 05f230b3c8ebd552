// SPDX-License-Identifier: Apache-2.0
#include "reports/render/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "embedded/reports_templates.h"
#include "harness/core/units.h"
#include "reports/render/facts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// What a template draws: a metric over an axis.
struct Drawing {
  std::string_view file;
  std::string_view metric;
  std::string_view axis;
  bool axis_counts_bytes;
};

constexpr std::array drawings{Drawing{"bandwidth.vl.json", "bandwidth", "footprint", true},
                              Drawing{"flop_rate.vl.json", "flop_rate", "n", false}};

constexpr double repeat_distance_pixels = 4;  // repeats of one size stand side by side
constexpr double widest_pixels = 24;
constexpr std::size_t most_ticks = 12;

/// A case that a chart can place, and where.
struct Placed {
  const CaseSummary* summary = nullptr;
  const Figure* figure = nullptr;
  double x = 0;
  std::string series{};
};

json template_named(std::string_view name) {
  for (const embedded::File& file : embedded::reports_templates())
    if (file.name == name) return json::parse(file.text);
  throw std::logic_error(fmt::format("the program has no chart template {}", name));
}

const Figure* figure_named(const CaseSummary& summary, std::string_view metric) {
  for (const Figure& figure : summary.figures)
    if (figure.name == metric) return &figure;
  return nullptr;
}

/// The place on the axis. A word (main memory) lies at the bytes that a launch touches.
std::optional<double> place_of(const Record& record, const Drawing& drawing) {
  for (const auto& [axis, value] : record.at.at) {
    if (axis != drawing.axis) continue;
    double x = drawing.axis_counts_bytes ? record.work.bytes() : 0;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) x = static_cast<double>(*integer);
    if (x > 0 && std::isfinite(x)) return x;
  }
  return std::nullopt;
}

/// A name per line: variant, and whatever else differs between the cases of the chart.
void name_series(std::vector<Placed>& placed) {
  std::set<std::string> benchmarks, dtypes, modes;
  for (const Placed& one : placed) {
    benchmarks.insert(one.summary->record().benchmark);
    dtypes.insert(std::string(name_of(one.summary->record().at.kernel.dtype)));
    modes.insert(std::string(name_of(one.summary->record().at.mode)));
  }
  for (Placed& one : placed) {
    const Record& record = one.summary->record();
    one.series = record.at.kernel.variant;
    if (dtypes.size() > 1) one.series.append(" ").append(name_of(record.at.kernel.dtype));
    if (modes.size() > 1) one.series.append(", ").append(name_of(record.at.mode));
    if (benchmarks.size() > 1) one.series = record.benchmark + ": " + one.series;
  }
}

std::vector<Placed> placed_on(const RunSummary& run, const std::string& device, const Drawing& drawing) {
  std::vector<Placed> placed;
  for (const CaseSummary& one : run.cases) {
    const Figure* figure = one.record().device == device ? figure_named(one, drawing.metric) : nullptr;
    const std::optional<double> x = figure != nullptr ? place_of(one.record(), drawing) : std::nullopt;
    if (x) placed.push_back({.summary = &one, .figure = figure, .x = *x});
  }
  name_series(placed);
  return placed;
}

/// Five digits: enough for a chart, and a page stays small.
double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

/// One dot. Its range is the middle 90 % of the samples, turned into rates: rate x time is the same for all of them.
json dot_of(const Placed& placed, const Record& record, double value, double factor, double offset) {
  json row{{"kind", "repeat"},
           {"series", placed.series},
           {"x", placed.x},
           {"repeat", record.repeat + 1},
           {"value", rounded(value / factor)},
           {"offset", rounded(offset)}};
  const double low = record.stats ? value * record.stats->median / record.stats->p95 : value;
  const double high = record.stats ? value * record.stats->median / record.stats->p5 : value;
  row["low"] = rounded((std::isfinite(low) ? low : value) / factor);
  row["high"] = rounded((std::isfinite(high) ? high : value) / factor);
  return row;
}

void add_dots(json& rows, const Placed& placed, double factor) {
  const auto count = static_cast<double>(placed.summary->repeats.size());
  const double step = std::min(repeat_distance_pixels, widest_pixels / count);
  double position = -(count - 1) / 2;
  for (const Record* record : placed.summary->repeats) {
    for (const Metric& metric : record->metrics)
      if (metric.name == placed.figure->name && usable(*record) && std::isfinite(metric.value))
        rows.push_back(dot_of(placed, *record, metric.value, factor, position * step));
    ++position;
  }
}

std::pair<double, double> ends_of(const std::vector<Placed>& placed) {
  const auto by_x = [](const Placed& a, const Placed& b) { return a.x < b.x; };
  const auto [first, last] = std::minmax_element(placed.begin(), placed.end(), by_x);
  return {first->x, last->x};
}

/// Of a logarithmic axis. Where there is only one place it counts as left.
double middle_of(const std::vector<Placed>& placed) {
  const auto [first, last] = ends_of(placed);
  return first == last ? 2 * first : std::sqrt(first * last);
}

std::string_view kind_of_ceiling(std::string_view source) { return source.substr(0, source.find(':')); }

/// Over footprints a ceiling holds at the places that have it; over n it holds everywhere, so each is drawn once. Its
/// label stands once, on the side where there is room.
void add_ceilings(json& rows, const std::vector<Placed>& placed, const Drawing& drawing, const Scale& scale) {
  std::set<std::pair<double, double>> drawn;
  std::set<double> named;
  const double middle = middle_of(placed);
  for (const Placed& one : placed) {
    if (!one.figure->ceiling || !std::isfinite(*one.figure->ceiling)) continue;
    const double x = drawing.axis_counts_bytes ? one.x : 0;
    const double value = rounded(*one.figure->ceiling / scale.factor);
    if (!drawn.emplace(x, value).second) continue;
    json row{{"kind", "ceiling"}, {"value", value}};
    const std::string text = "ceiling " + format_value(*one.figure->ceiling, one.figure->unit);
    row["label"] = fmt::format("{} ({})", text, kind_of_ceiling(one.figure->ceiling_source));
    row["text"] = named.insert(value).second ? text : "";
    row["side"] = x < middle ? "left" : "right";
    if (drawing.axis_counts_bytes) row["x"] = x;
    rows.push_back(std::move(row));
  }
}

/// The last-level cache is drawn only where it lies between the sizes that were measured.
void add_cache(json& rows, const std::vector<Placed>& placed, const json& device) {
  const double bytes = positive_at(device, "/last_level_cache_bytes");
  const auto [first, last] = ends_of(placed);
  if (bytes > first && bytes < last)
    rows.push_back({{"kind", "cache"}, {"x", bytes}, {"label", "last-level cache " + format_bytes(bytes)}});
}

/// The sizes that were measured; powers of two where those would crowd the axis. Left to itself, Vega puts no power of
/// two on a logarithmic axis that spans fewer of them than it wants ticks.
json ticks_of(const std::vector<Placed>& placed) {
  std::set<double> ticks;
  for (const Placed& one : placed) ticks.insert(one.x);
  if (ticks.size() > most_ticks) {
    ticks.clear();
    for (double power = 1; power <= 0x1p50; power *= 2) ticks.insert(power);
  }
  return ticks;
}

/// Replaces the unit that stands in parentheses at the end of a title.
void set_unit(json& title, const std::string& unit) {
  if (!title.is_string()) return;
  const auto text = title.get<std::string>();
  title = text.substr(0, text.rfind('(')) + "(" + unit + ")";
}

/// What a template says of its sample data, said of the data at hand: the unit, the ticks, the names of the lines. The
/// names are spelled out because Vega-Lite makes one legend of colour, dash and shape only where their domains are the
/// same by word.
void adapt(json& layers, const std::string& unit, const std::set<std::string>& series, const json& ticks) {
  for (json& layer : layers) {
    if (layer.contains("layer")) adapt(layer["layer"], unit, series, ticks);
    if (!layer.contains("encoding")) continue;
    json& encoding = layer["encoding"];
    if (encoding.contains("x") && encoding["x"].contains("axis")) encoding["x"]["axis"]["values"] = ticks;
    if (encoding.contains("y") && encoding["y"].contains("title")) set_unit(encoding["y"]["title"], unit);
    for (const char* channel : {"color", "shape", "strokeDash"})
      if (encoding.contains(channel)) encoding[channel]["scale"]["domain"] = series;
    if (!encoding.contains("tooltip")) continue;
    for (json& line : encoding["tooltip"])
      if (line["field"] == "value") line["title"] = unit;
  }
}

/// Without the layers that are named for a kind of row of which there is none: an empty layer has no extent, and Vega
/// warns of it.
json layers_with_rows(const json& layers, const json& rows) {
  std::set<std::string> kinds;
  for (const json& row : rows) kinds.insert(row["kind"].get<std::string>());
  json kept = json::array();
  for (const json& layer : layers)
    if (!layer.contains("name") || kinds.count(layer["name"].get<std::string>()) > 0) kept.push_back(layer);
  return kept;
}

Chart chart_of(const Drawing& drawing, const std::vector<Placed>& placed, const json& device) {
  const auto lower = [](const Placed& a, const Placed& b) { return a.figure->high < b.figure->high; };
  const Placed& best = *std::max_element(placed.begin(), placed.end(), lower);
  const Scale scale = scale_of(best.figure->high, best.figure->unit);
  json rows = json::array();
  for (const Placed& one : placed) add_dots(rows, one, scale.factor);
  add_ceilings(rows, placed, drawing, scale);
  if (drawing.axis_counts_bytes) add_cache(rows, placed, device);

  std::set<std::string> series;
  for (const Placed& one : placed) series.insert(one.series);
  Chart chart{.title = fmt::format("{} over {}", title_of_metric(drawing.metric),
                                   drawing.axis_counts_bytes ? "footprint" : "matrix size")};
  chart.description = fmt::format(
      "Line chart of {} on {}: {} from {}. The best is {}, {}. The table of results holds every number.", chart.title,
      device_name(device), count_text(placed.size(), "case"), count_text(series.size(), "variant"),
      format_value(best.figure->median, best.figure->unit), case_text(best.summary->record()));
  chart.spec = template_named(drawing.file);
  chart.spec["layer"] = layers_with_rows(chart.spec["layer"], rows);
  chart.spec["data"] = {{"values", std::move(rows)}};
  chart.spec["description"] = chart.description;
  adapt(chart.spec["layer"], scale.unit, series, ticks_of(placed));
  return chart;
}

}  // namespace

std::vector<Chart> charts_of(const RunSummary& run, const json& device) {
  std::vector<Chart> charts;
  const std::string id = text_at(device, "/id").value_or("");
  for (const Drawing& drawing : drawings) {
    const std::vector<Placed> placed = placed_on(run, id, drawing);
    if (!placed.empty()) charts.push_back(chart_of(drawing, placed, device));
  }
  return charts;
}

}  // namespace warpmark
