// SPDX-License-Identifier: Apache-2.0
#include "reports/render/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <variant>

#include "harness/core/benchmark.h"
#include "harness/summary/question.h"
#include "reports/render/facts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

/// Footprints are rounded up to whole elements, which differ by type and operation: 1 GiB and 1 GiB + 8 B are one
/// place.
double snapped(double x) {
  constexpr double steps_per_octave = 64;
  return std::exp2(std::round(std::log2(x) * steps_per_octave) / steps_per_octave);
}

/// What main memory stands for: the bytes of the operands, or those that a launch touches.
double bytes_of(const Record& record) {
  const double operands = positive_at(record.about, "/operand_bytes");
  return std::isfinite(operands) ? operands : record.work.bytes();
}

/// The place on the axis, and how it is called.
std::optional<std::pair<double, std::string>> place_of(const Record& record, const SweepKind& kind) {
  if (kind.axis.empty()) return std::pair(1.0, std::string());
  for (const auto& [axis, value] : record.at.at) {
    if (axis != kind.axis) continue;
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr && !kind.over_footprint()) continue;
    double x = integer != nullptr ? static_cast<double>(*integer) : snapped(bytes_of(record));
    if (x > 0 && std::isfinite(x)) return std::pair(x, axis_text(axis, value));
  }
  return std::nullopt;
}

const Figure* figure_of(const CaseSummary& summary, const SweepKind& kind) {
  for (const Figure& figure : summary.figures)
    if (unit_group_of(figure.unit) == kind.units && figure.median > 0) return &figure;
  return nullptr;
}

/// "copy" of "memory/copy"; the whole name where another family has an operation of that name.
void name_operations(std::vector<Point>& points) {
  const auto last_word = [](const std::string& name) { return name.substr(name.rfind('/') + 1); };
  std::map<std::string, std::set<std::string>> families;
  for (const Point& point : points) {
    const std::string& benchmark = point.summary->record().benchmark;
    families[last_word(benchmark)].insert(benchmark);
  }
  for (Point& point : points) {
    const std::string& benchmark = point.summary->record().benchmark;
    const std::string word = last_word(benchmark);
    point.operation = word.empty() || families[word].size() > 1 ? benchmark : word;
  }
}

std::set<Mode> modes_of(const std::vector<Point>& points) {
  std::set<Mode> modes;
  for (const Point& point : points) modes.insert(point.summary->record().at.mode);
  return modes;
}

/// With the mode, where there are several.
std::string variant_in(const std::set<Mode>& modes, const Record& record) {
  std::string variant = record.at.kernel.variant;
  if (modes.size() > 1) variant.append(", ").append(name_of(record.at.mode));
  return variant;
}

/// Other axes than that of the chart belong to the names where they tell points of one place apart: words to the
/// operation, because they make another question, sizes to the variant.
void name_lines(std::vector<Point>& points, const SweepKind& kind) {
  const std::set<Mode> modes = modes_of(points);
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // by operation and axis
  for (const Point& point : points)
    for (const auto& [axis, value] : point.summary->record().at.at)
      if (axis != kind.axis) values[{point.operation, axis}].insert(text_of(value));
  for (Point& point : points) {
    const std::string operation = point.operation;
    point.variant = variant_in(modes, point.summary->record());
    for (const auto& [axis, value] : point.summary->record().at.at) {
      if (axis == kind.axis || values[{operation, axis}].size() < 2) continue;
      if (std::holds_alternative<std::string>(value))
        point.operation += " " + axis_text(axis, value);
      else
        point.variant += ", " + axis + " " + axis_text(axis, value);
    }
  }
}

/// Without an axis a place is called by the axes that differ, after its operation where there are several, and stands
/// where the first case of that name does.
void name_places(std::vector<Point>& points) {
  const std::set<Mode> modes = modes_of(points);
  std::set<std::string> operations;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // by operation and axis
  for (const Point& point : points) {
    operations.insert(point.operation);
    for (const auto& [axis, value] : point.summary->record().at.at)
      values[{point.operation, axis}].insert(text_of(value));
  }
  std::map<std::string, double> places;
  for (Point& point : points) {
    const std::string operation = std::move(point.operation);
    for (const auto& [axis, value] : point.summary->record().at.at)
      if (values[{operation, axis}].size() > 1) point.size += (point.size.empty() ? "" : " ") + axis_text(axis, value);
    point.operation = point.size.empty()      ? operation
                      : operations.size() > 1 ? operation + " " + point.size
                                              : point.size;
    point.variant = variant_in(modes, point.summary->record());
    point.x = places.emplace(point.operation, static_cast<double>(places.size() + 1)).first->second;
  }
}

void mark_best(std::vector<Point>& points) {
  std::map<std::tuple<std::size_t, std::string, std::string, std::string, double>, Point*> best;
  for (Point& point : points) {
    const Record& record = point.summary->record();
    Point*& holder = best[{point.result, record.device, point.operation, arithmetic_of(record), point.x}];
    if (holder == nullptr || better_than(*point.figure, *holder->figure)) holder = &point;
  }
  for (const auto& [place, point] : best) point->best = true;
}

std::vector<SweepKind> transfer_sweeps() {
  return {{.file = "footprint.vl.json",
           .title = "Copies between host and device over size",
           .subject = "Copies between host and device",
           .family = "transfer",
           .axis = "bytes",
           .axis_title = "Bytes of a copy",
           .units = UnitGroup::bytes_per_second},
          {.file = "footprint.vl.json",
           .title = "Making pinned memory over size",
           .subject = "Making pinned memory",
           .family = "transfer",
           .axis = "bytes",
           .axis_title = "Bytes of the memory",
           .units = UnitGroup::seconds}};
}

}  // namespace

UnitGroup unit_group_of(std::string_view unit) {
  if (unit == "B/s") return UnitGroup::bytes_per_second;
  if (unit == "FLOP/s" || unit == "OP/s") return UnitGroup::arithmetic;
  return unit == "s" ? UnitGroup::seconds : UnitGroup::other;
}

std::vector<SweepKind> line_sweeps() {
  std::vector<SweepKind> sweeps{{.file = "footprint.vl.json",
                                 .title = "Bandwidth over footprint",
                                 .subject = "Bandwidth",
                                 .axis = "footprint",
                                 .axis_title = "Footprint: all arrays together",
                                 .units = UnitGroup::bytes_per_second},
                                {.file = "footprint.vl.json",
                                 .title = "Latency over footprint",
                                 .subject = "Latency",
                                 .axis = "footprint",
                                 .axis_title = "Footprint of the chain",
                                 .units = UnitGroup::seconds},
                                {.file = "matrix_rate.vl.json",
                                 .title = "Matrix products over size",
                                 .subject = "Matrix products",
                                 .family = "gemm",
                                 .axis = "n",
                                 .axis_title = "Matrix size n (n × n × n)",
                                 .units = UnitGroup::arithmetic},
                                {.file = "matrix_rate.vl.json",
                                 .title = "Products of model layers over tokens",
                                 .subject = "Products of model layers",
                                 .family = "gemm",
                                 .axis = "tokens",
                                 .axis_title = "Tokens",
                                 .units = UnitGroup::arithmetic}};
  for (SweepKind& kind : transfer_sweeps()) sweeps.push_back(std::move(kind));
  return sweeps;
}

SweepKind bars_of(std::string_view family, UnitGroup units) {
  SweepKind kind{.family = family, .units = units};
  kind.title = kind.subject = title_of_family(family);
  return kind;
}

bool have_one_size(const std::vector<Point>& points) {
  return std::all_of(points.begin(), points.end(), [&](const Point& each) { return each.x == points.front().x; });
}

std::vector<Point> points_of(const std::vector<Result>& results, const SweepKind& kind, const std::string& device) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const CaseSummary& one : results[i].run.cases) {
      if (!device.empty() && one.record().device != device) continue;
      if (one.record().course) continue;  // it has a chart of its own: over its seconds
      if (!kind.family.empty() && family_of(one.record().benchmark) != kind.family) continue;
      const Figure* figure = figure_of(one, kind);
      const auto place = place_of(one.record(), kind);
      if (figure == nullptr || !place) continue;
      points.push_back({.result = i, .summary = &one, .figure = figure, .x = place->first, .size = place->second});
    }
  }
  name_operations(points);
  if (kind.axis.empty())
    name_places(points);
  else
    name_lines(points, kind);
  mark_best(points);
  return points;
}

}  // namespace warpmark
