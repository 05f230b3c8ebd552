// SPDX-License-Identifier: Apache-2.0
#include "reports/render/chart_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/core/units.h"
#include "reports/render/facts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// Five digits: enough for a chart, and a page stays small.
double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

std::string dtype_of(const Point& point) { return arithmetic_of(point.summary->record()); }

std::pair<double, double> ends_of(const std::vector<Point>& points) {
  const auto by_x = [](const Point& a, const Point& b) { return a.x < b.x; };
  const auto [first, last] = std::minmax_element(points.begin(), points.end(), by_x);
  return {first->x, last->x};
}

/// "B: copy f64 nt"; the letter only where there are several results.
std::string line_name(const Point& point, const std::vector<Result>& results) {
  const std::string letter = results.size() > 1 ? results[point.result].letter + ": " : "";
  return fmt::format("{}{} {} {}", letter, point.operation, dtype_of(point), point.variant);
}

json row_of(const Point& point, const std::vector<Result>& results, const RateScale& scale) {
  const Figure& figure = *point.figure;
  return {{"kind", "case"},
          {"result", results[point.result].letter},
          {"operation", point.operation},
          {"dtype", dtype_of(point)},
          {"variant", point.variant},
          {"x", point.x},
          {"size", point.size},
          {"value", rounded(figure.median / scale.factor)},
          {"low", rounded(figure.low / scale.factor)},
          {"high", rounded(figure.high / scale.factor)},
          {"best", point.best},
          {"case", line_name(point, results)},
          {"text", format_value(figure.median, figure.unit)},
          {"range", range_text(figure.low, figure.high, figure.unit)},
          {"share", share_text(figure)}};
}

std::string_view kind_of_ceiling(std::string_view source) { return source.substr(0, source.find(':')); }

json ceiling_row(const Point& point, double value) {
  const std::string amount = format_value(*point.figure->ceiling, point.figure->unit);
  return {{"kind", "ceiling"},
          {"dtype", dtype_of(point)},
          {"value", value},
          {"label", fmt::format("ceiling {} ({})", amount, kind_of_ceiling(point.figure->ceiling_source))}};
}

bool has_ceiling(const Point& point) {
  return point.figure->ceiling && std::isfinite(*point.figure->ceiling) && *point.figure->ceiling > 0;
}

/// A ceiling that is drawn, by what it bounds: the type where that matters, and the place where it holds at some only.
struct DrawnCeiling {
  const Point* point = nullptr;
  std::string type{}, name{};  // name: with the letter of its result, where not all results share it
  double x = 0;
  bool labelled = false;  // the first of its value and type

  [[nodiscard]] double value() const { return *point->figure->ceiling; }
};

/// Over footprints a ceiling holds at the places that have it, and its label stands once; over n it holds everywhere,
/// so each type has one at the edge.
std::vector<DrawnCeiling> drawn_ceilings(const std::vector<Point>& points, const SweepKind& kind,
                                         const std::vector<Result>& results) {
  std::map<std::tuple<std::string, double, double>, const Point*> drawn;
  std::map<std::pair<std::string, double>, std::set<std::size_t>> sharers;
  std::map<std::string, std::set<std::size_t>> owners;
  for (const Point& point : points) {
    if (!has_ceiling(point)) continue;
    const std::string type = kind.over_footprint() ? "" : dtype_of(point);
    const double value = rounded(*point.figure->ceiling);
    drawn.try_emplace({type, value, kind.over_footprint() ? point.x : 0}, &point);
    sharers[{type, value}].insert(point.result);
    owners[type].insert(point.result);
  }
  std::set<std::pair<std::string, double>> named;
  std::vector<DrawnCeiling> ceilings;
  for (const auto& [place, point] : drawn) {
    const auto& [type, value, x] = place;
    const bool shared = sharers[{type, value}].size() == owners[type].size();
    const std::string letter = shared ? "" : results[point->result].letter;
    ceilings.push_back({.point = point,
                        .type = type,
                        .name = fmt::format("{}{}{}", letter, letter.empty() || type.empty() ? "" : " ", type),
                        .x = x,
                        .labelled = named.emplace(type, value).second});
  }
  return ceilings;
}

/// Labels of those of one type, or of all where it is empty; "" at the others.
std::vector<std::string> labels_of(const std::vector<DrawnCeiling>& ceilings, const std::string& type,
                                   const RateAxis& axis) {
  std::vector<NamedCeiling> named;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < ceilings.size(); ++i) {
    if (!ceilings[i].labelled || (!type.empty() && ceilings[i].type != type)) continue;
    named.push_back({.value = ceilings[i].value(), .name = ceilings[i].name});
    places.push_back(i);
  }
  std::vector<std::string> labels(ceilings.size());
  const std::vector<std::string> made = ceiling_labels(named, axis);
  for (std::size_t i = 0; i < places.size(); ++i) labels[places[i]] = made[i];
  return labels;
}

/// `text` is for a chart of one type, `joint` for one of all.
void add_ceilings(json& rows, const std::vector<Point>& points, const SweepKind& kind,
                  const std::vector<Result>& results, const RateScale& scale) {
  const std::vector<DrawnCeiling> ceilings = drawn_ceilings(points, kind, results);
  const std::vector<std::string> joint = labels_of(ceilings, "", scale.axis);
  for (std::size_t i = 0; i < ceilings.size(); ++i) {
    const DrawnCeiling& one = ceilings[i];
    json row = ceiling_row(*one.point, rounded(one.value() / scale.factor));
    row["text"] = labels_of(ceilings, one.type, scale.axis)[i];
    if (kind.over_footprint())
      row["x"] = one.x;
    else
      row["joint"] = joint[i];
    rows.push_back(std::move(row));
  }
}

/// The caches of all cores together, which is what a sweep over all cores fills.
std::vector<std::pair<std::string, double>> caches_of(const json& device) {
  const double units = positive_at(device, "/units");
  const double last = positive_at(device, "/last_level_cache_bytes");
  const bool has_l2 = std::isfinite(positive_at(device, "/facts/l2_bytes_per_core"));
  std::vector<std::pair<std::string, double>> caches{{"L1", units * positive_at(device, "/facts/l1d_bytes_per_core")},
                                                     {"L2", units * positive_at(device, "/facts/l2_bytes_per_core")}};
  caches.emplace_back(has_l2 ? "L3" : "last-level cache", last);
  return caches;
}

/// Labels stand in a row above the chart, in the next row where they would touch their neighbour.
void add_cache_labels(json& rows, const std::vector<std::pair<std::string, double>>& caches, double octaves,
                      std::size_t& line) {
  constexpr double room = 0.28;  // of the axis, for a label on a telephone
  double previous = 0;
  std::size_t lower = line;
  for (const auto& [label, bytes] : caches) {
    const bool touches = previous > 0 && std::log2(bytes / previous) < room * octaves;
    lower = touches && lower == line ? line + 1 : line;
    rows.push_back({{"kind", "cache"}, {"x", bytes}, {"label", label}, {"row", lower}});
    previous = bytes;
  }
  line += caches.empty() ? 0 : 1;
}

/// The caches of a result's device that are not seen yet and lie on the axis.
std::vector<std::pair<std::string, double>> new_caches(const Result& result, const std::string& device_id,
                                                       std::pair<double, double> ends, std::set<std::string>& seen) {
  std::vector<std::pair<std::string, double>> caches;
  const json& devices = result.document->devices;
  const auto device =
      std::find_if(devices.begin(), devices.end(), [&](const json& each) { return text_at(each, "/id") == device_id; });
  if (device == devices.end()) return caches;
  for (const auto& [name, bytes] : caches_of(*device)) {
    std::string text = fmt::format("{} {}", name, format_bytes(bytes));
    if (bytes > ends.first && bytes < ends.second && seen.insert(text).second)
      caches.emplace_back(std::move(text), bytes);
  }
  return caches;
}

/// Where results have different caches, those of the later ones stand above those of the first, each with its letter.
void add_caches(json& rows, const std::vector<Point>& points, const std::vector<Result>& results) {
  const std::pair<double, double> ends = ends_of(points);
  std::set<std::string> seen;
  std::set<std::pair<std::size_t, std::string>> devices;
  for (const Point& point : points) devices.emplace(point.result, point.summary->record().device);
  std::size_t line = 0;
  for (const auto& [index, id] : devices) {
    std::vector<std::pair<std::string, double>> caches = new_caches(results[index], id, ends, seen);
    if (line > 0)
      for (auto& [label, bytes] : caches) label.insert(0, results[index].letter + ": ");
    add_cache_labels(rows, caches, std::log2(ends.second / ends.first), line);
  }
}

}  // namespace

RateScale rate_scale_of(const std::vector<Point>& points) {
  constexpr double wide_range = 8;
  double highest = 0;
  RateAxis axis{.low = INFINITY};
  std::set<std::string> units;
  for (const Point& point : points) {
    highest = std::max(highest, point.figure->high);
    axis.low = std::min(axis.low, point.figure->low);
    axis.high = std::max({axis.high, point.figure->high, has_ceiling(point) ? *point.figure->ceiling : 0});
  }
  axis.logarithmic = axis.high > wide_range * axis.low;
  for (const Point& point : points) units.insert(scale_of(highest, point.figure->unit).unit);
  return {.factor = scale_of(highest, points.empty() ? "" : points.front().figure->unit).factor,
          .units = fmt::format("{}", fmt::join(units, ", ")),
          .axis = axis};
}

json chart_rows(const std::vector<Point>& points, const SweepKind& kind, const std::vector<Result>& results,
                const RateScale& scale) {
  json rows = json::array();
  for (const Point& point : points) rows.push_back(row_of(point, results, scale));
  add_ceilings(rows, points, kind, results, scale);
  if (kind.over_footprint()) add_caches(rows, points, results);
  return rows;
}

json bar_rows(const std::vector<Point>& points, const std::vector<Result>& results, const RateScale& scale) {
  std::map<std::pair<std::string, std::string>, std::size_t> ranks;  // of operation and type, as they come first
  for (const Point& point : points) ranks.try_emplace({point.operation, dtype_of(point)}, ranks.size());
  std::vector<Point> ordered = points;
  std::stable_sort(ordered.begin(), ordered.end(), [&](const Point& a, const Point& b) {
    return ranks.at({a.operation, dtype_of(a)}) < ranks.at({b.operation, dtype_of(b)});
  });
  json rows = json::array();
  for (const Point& point : ordered) {
    json row = row_of(point, results, scale);
    const Figure& figure = *point.figure;
    row["note"] = row["text"];
    if (figure.share)
      row["note"] = fmt::format("{}, {} of the ceiling", format_value(figure.median, figure.unit), share_text(figure));
    if (has_ceiling(point)) {
      const json ceiling = ceiling_row(point, rounded(*figure.ceiling / scale.factor));
      row["ceiling"] = ceiling["value"];
      row["ceiling_text"] = ceiling["label"];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

json chart_table(const std::vector<Point>& points, const SweepKind& kind, const std::vector<Result>& results,
                 const RateScale& scale) {
  const auto column = [&kind](const Point& point) { return kind.axis.empty() ? 0 : point.x; };
  std::map<double, std::string> sizes;
  std::vector<std::string> names;
  std::map<std::string, std::map<double, const Point*>> lines;
  for (const Point& point : points) {
    sizes.emplace(column(point), kind.axis.empty() ? "median" : point.size);
    const std::string name = line_name(point, results);
    if (lines.find(name) == lines.end()) names.push_back(name);
    lines[name][column(point)] = &point;
  }
  json table{{"caption", fmt::format("Medians over repeats in {}; the best variant of each is bold.", scale.units)},
             {"sizes", json::array()},
             {"rows", json::array()}};
  for (const auto& [x, size] : sizes) table["sizes"].push_back(size);
  for (const std::string& name : names) {
    json cells = json::array();
    for (const auto& [x, size] : sizes) {
      const auto found = lines[name].find(x);
      const bool there = found != lines[name].end();
      cells.push_back({{"text", there ? fmt::format("{:.4g}", found->second->figure->median / scale.factor) : ""},
                       {"best", there && found->second->best}});
    }
    table["rows"].push_back({{"name", name}, {"cells", std::move(cells)}});
  }
  return table;
}

}  // namespace warpmark
