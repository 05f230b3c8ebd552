// SPDX-License-Identifier: Apache-2.0
#include "reports/render/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "embedded/reports_templates.h"
#include "harness/core/benchmark.h"
#include "harness/core/units.h"
#include "harness/summary/question.h"
#include "reports/render/chart_rows.h"
#include "reports/render/facts.h"
#include "reports/render/sweep.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t most_ticks = 12;
constexpr std::size_t most_bars = 400;  // nobody reads more of them, and the table of cases has every number
constexpr std::size_t many_bars = 60;   // of one type at first, then

json template_named(std::string_view name) {
  for (const embedded::File& file : embedded::reports_templates())
    if (file.name == name) return json::parse(file.text);
  throw std::logic_error(fmt::format("the program has no chart template {}", name));
}

/// The sizes that were measured; powers of two where those would crowd the axis. Left to itself, Vega puts no power of
/// two on a logarithmic axis that spans fewer of them than it wants ticks.
json ticks_of(const std::vector<Point>& points) {
  std::set<double> ticks;
  for (const Point& point : points) ticks.insert(point.x);
  if (ticks.size() > most_ticks) {
    ticks.clear();
    for (double power = 1; power <= 0x1p50; power *= 2) ticks.insert(power);
  }
  return ticks;
}

/// What a reader can choose from, and what is chosen at first.
void set_choice(json& spec, std::string_view name, std::string_view value, const std::vector<std::string>& options) {
  for (json& param : spec["params"]) {
    if (param["name"] != name) continue;
    param["value"] = value;
    if (options.size() < 2) {
      param.erase("bind");  // nothing to choose
      return;
    }
    json& bind = param["bind"];
    // The template's own words ("all", "the best at each size") come before the options of its sample data.
    json choices = json::array(), labels = json::array();
    for (std::size_t i = 0; i < bind["options"].size(); ++i) {
      if (bind["options"][i] != "all" && bind["options"][i] != "best") continue;
      choices.push_back(bind["options"][i]);
      labels.push_back(bind["labels"][i]);
    }
    for (const std::string& option : options) {
      choices.push_back(option);
      labels.push_back(option);
    }
    bind["options"] = std::move(choices);
    bind["labels"] = std::move(labels);
  }
}

template <class Name>
std::vector<std::string> names_of(const std::vector<Point>& points, Name name) {
  std::vector<std::string> names;
  for (const Point& point : points)
    if (std::find(names.begin(), names.end(), name(point)) == names.end()) names.emplace_back(name(point));
  return names;
}

std::string operation_of(const Point& point) { return point.operation; }
std::string variant_of(const Point& point) { return point.variant; }
std::string dtype_of(const Point& point) { return arithmetic_of(point.summary->record()); }

std::string widest_of(const std::vector<Point>& points) {
  const auto by_size = [](const Point& a, const Point& b) {
    return size_of(a.summary->record().at.kernel.dtype) < size_of(b.summary->record().at.kernel.dtype);
  };
  return dtype_of(*std::max_element(points.begin(), points.end(), by_size));
}

/// The operation, or the type, with the most points: the sweep that the chart is for.
template <class Name>
std::string fullest_of(const std::vector<Point>& points, Name name) {
  std::map<std::string, std::size_t> counts;
  for (const Point& point : points) ++counts[name(point)];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Whether the operation by itself would be a column of points.
bool of_one_size(const std::vector<Point>& points, const std::string& operation) {
  std::set<double> sizes;
  for (const Point& point : points)
    if (point.operation == operation) sizes.insert(point.x);
  return sizes.size() == 1;
}

/// What a reader sees before choosing; "all" shows every value.
struct Choice {
  std::string operation = "all", dtype = "all", variant = "all";

  [[nodiscard]] bool shows(const Point& point) const {
    const auto fits = [](const std::string& wanted, const std::string& value) {
      return wanted == "all" || wanted == value;
    };
    return fits(operation, point.operation) && fits(dtype, dtype_of(point)) && (variant == "all" || point.best);
  }
};

/// At first a chart shows few lines: every operation of one bandwidth, or every type of one product, each by its best
/// variant; of several results one operation and type.
Choice first_choice(const std::vector<Point>& points, const SweepKind& kind, std::size_t results) {
  const auto operations = names_of(points, operation_of);
  const auto dtypes = names_of(points, dtype_of);
  const auto variants = names_of(points, variant_of);
  const bool has_triad = std::find(operations.begin(), operations.end(), "triad") != operations.end();
  const bool one_line_each = operations.size() == 1 && dtypes.size() == 1 && results == 1;
  Choice choice{.variant = variants.size() > 1 && !one_line_each && !kind.over_variants() ? "best" : "all"};
  if (kind.axis.empty())  // bars are few: all are shown, by what tells them apart
    return {.dtype = dtypes.size() == 1 || points.size() > many_bars ? fullest_of(points, dtype_of) : "all",
            .variant = "best"};
  if (!kind.over_footprint())
    choice.operation = fullest_of(points, operation_of);
  else if (operations.size() == 1 || results > 1)
    choice.operation = has_triad ? "triad" : operations.front();
  if (!kind.over_footprint() && !have_one_size(points) && of_one_size(points, choice.operation))
    choice.operation = "all";
  if (kind.over_footprint())
    choice.dtype = widest_of(points);
  else if (dtypes.size() == 1 || results > 1)
    choice.dtype = fullest_of(points, dtype_of);
  return choice;
}

void set_choices(json& spec, const Choice& choice, const std::vector<Point>& points, std::size_t results) {
  set_choice(spec, "operation", choice.operation, names_of(points, operation_of));
  set_choice(spec, "dtype", choice.dtype, names_of(points, dtype_of));
  set_choice(spec, "variant", choice.variant, names_of(points, variant_of));
  for (json& param : spec["params"])
    if (param["name"] == "results") param["value"] = results;
}

std::string rate_title(const SweepKind& kind, const RateScale& scale, std::string_view note) {
  const std::string_view name = kind.units == UnitGroup::bytes_per_second ? "Bandwidth"
                                : kind.units == UnitGroup::seconds        ? "Latency"
                                                                          : "Rate";
  return fmt::format("{}{} ({})", name, note, scale.units);
}

void set_rate_axis(json& axis, const SweepKind& kind, const RateScale& scale) {
  axis["title"] = rate_title(kind, scale, scale.axis.logarithmic ? ", log scale" : "");
  if (scale.axis.logarithmic) return;
  axis["scale"] = {{"zero", true}};
  axis["axis"] = {{"tickCount", 6}, {"format", ",~r"}};
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

std::string description_of(const Chart& chart, const std::vector<Point>& points, const std::vector<Result>& results) {
  const auto is_better = [](const Point& a, const Point& b) { return better_than(*a.figure, *b.figure); };
  const Point& best = *std::min_element(points.begin(), points.end(), is_better);
  std::set<std::string> names;
  for (const Result& result : results) names.insert(result.name);
  return fmt::format("{} chart of {} on {}: {}. The best is {}, {}. The table below the chart holds every number.",
                     chart.bars ? "Bar" : "Line", chart.title, fmt::join(names, ", "),
                     count_text(points.size(), "case"), format_value(best.figure->median, best.figure->unit),
                     full_case_text(best.summary->record()));
}

std::string size_text(const SweepKind& kind, const Point& point) {
  return kind.over_footprint() ? point.size : fmt::format("{} {}", kind.axis, point.size);
}

/// Of one size a line chart would be a column of points.
void draw_bars(Chart& chart, const SweepKind& kind, const std::vector<Point>& points,
               const std::vector<Result>& results, const RateScale& scale) {
  chart.spec = template_named("one_size.vl.json");
  json rows = bar_rows(points, results, scale);
  const bool has_ceilings =
      std::any_of(rows.begin(), rows.end(), [](const json& row) { return row.contains("ceiling"); });
  json& layers = chart.spec["layer"];
  if (!has_ceilings)
    layers.erase(std::find_if(layers.begin(), layers.end(),
                              [](const json& layer) { return layer.value("name", "") == "ceiling"; }));
  chart.spec["data"] = {{"values", std::move(rows)}};
  chart.spec["encoding"]["x"]["title"] = rate_title(kind, scale, "") + (has_ceilings ? "; a tick is the ceiling" : "");
}

void draw_lines(Chart& chart, const SweepKind& kind, const std::vector<Point>& points,
                const std::vector<Result>& results, const RateScale& scale) {
  json rows = chart_rows(points, kind, results, scale);
  chart.spec = template_named(kind.file);
  chart.spec["layer"] = layers_with_rows(chart.spec["layer"], rows);
  chart.spec["data"] = {{"values", std::move(rows)}};
  chart.spec["encoding"]["x"]["title"] = kind.axis_title;
  chart.spec["encoding"]["x"]["axis"]["values"] = ticks_of(points);
  set_rate_axis(chart.spec["encoding"]["y"], kind, scale);
}

Chart chart_of(const SweepKind& kind, const std::vector<Point>& points, const std::vector<Result>& results) {
  const bool bars = kind.file.empty() || have_one_size(points);
  Choice choice = first_choice(points, kind, results.size());
  if (bars && !kind.axis.empty() && !kind.over_footprint())
    choice.dtype = "all";  // bars of several results and types stay apart, lines would not
  std::vector<Point> shown;
  std::copy_if(points.begin(), points.end(), std::back_inserter(shown),
               [&](const Point& one) { return choice.shows(one); });
  const RateScale scale = rate_scale_of(shown);
  Chart chart{.title = kind.title, .bars = bars};
  if (bars && !kind.axis.empty()) chart.title = fmt::format("{} at {}", kind.subject, size_text(kind, points.front()));
  (bars ? draw_bars : draw_lines)(chart, kind, points, results, scale);
  if (bars) chart.spec["height"] = chart.spec["usermeta"]["row_height"].get<std::size_t>() * shown.size();
  chart.description = description_of(chart, points, results);
  chart.spec["description"] = chart.description;
  set_choices(chart.spec, choice, points, results.size());
  chart.table = chart_table(points, kind, results, scale);
  return chart;
}

/// A device by its id where some result has several, else the one device of each.
std::vector<std::string> devices_of(const std::vector<Result>& results) {
  std::vector<std::string> ids;
  bool several = false;
  for (const Result& result : results) {
    several = several || result.document->devices.size() > 1;
    for (const json& device : result.document->devices) {
      std::string id = text_at(device, "/id").value_or("");
      if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
    }
  }
  return several ? ids : std::vector<std::string>{""};
}

/// Bars of what no line shows, by family and units.
std::vector<SweepKind> bars_left(const std::vector<Result>& results, const std::string& device,
                                 const std::set<const CaseSummary*>& drawn) {
  std::set<std::pair<std::string_view, UnitGroup>> kinds;
  for (const Result& result : results)
    for (const CaseSummary& one : result.run.cases)
      if (!one.figures.empty() && drawn.count(&one) == 0 && (device.empty() || one.record().device == device))
        kinds.emplace(family_of(one.record().benchmark), unit_group_of(one.figures.front().unit));
  std::vector<SweepKind> bars;
  for (const auto& [family, units] : kinds) bars.push_back(bars_of(family, units));
  return bars;
}

}  // namespace

std::vector<Chart> charts_of(const std::vector<Result>& results) {
  std::vector<Chart> charts;
  for (const std::string& device : devices_of(results)) {
    std::set<const CaseSummary*> drawn;
    const auto draw = [&](const SweepKind& kind) {
      const std::vector<Point> points = points_of(results, kind, device);
      if (points.empty() || (kind.axis.empty() && points.size() > most_bars)) return;
      for (const Point& point : points) drawn.insert(point.summary);
      charts.push_back(chart_of(kind, points, results));
      charts.back().device = device;
    };
    for (const SweepKind& kind : line_sweeps()) draw(kind);
    for (const SweepKind& kind : bars_left(results, device, drawn)) draw(kind);
  }
  return charts;
}

json empty_template(std::string_view name) {
  json spec = template_named(name);
  spec["data"] = {{"values", json::array()}};
  return spec;
}

}  // namespace warpmark
