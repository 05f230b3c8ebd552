// SPDX-License-Identifier: Apache-2.0
#include "reports/render/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "reports/render/wording.h"

namespace warpmark {
namespace {

/// Footprints are rounded up to whole elements, which differ by type and operation: 1 GiB and 1 GiB + 8 B are one
/// place.
double snapped(double x) {
  constexpr double steps_per_octave = 64;
  return std::exp2(std::round(std::log2(x) * steps_per_octave) / steps_per_octave);
}

/// The place on the axis, and how it is called. A word (main memory) lies at the bytes that a launch touches.
std::optional<std::pair<double, std::string>> place_of(const Record& record, const SweepKind& kind) {
  for (const auto& [axis, value] : record.at.at) {
    if (axis != kind.axis) continue;
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr && !kind.counts_bytes) continue;
    double x = integer != nullptr ? static_cast<double>(*integer) : snapped(record.work.bytes());
    if (x > 0 && std::isfinite(x)) return std::pair(x, axis_text(axis, value));
  }
  return std::nullopt;
}

const Figure* rate_of(const CaseSummary& summary, const SweepKind& kind) {
  for (const Figure& figure : summary.figures) {
    const bool fits = kind.counts_bytes ? figure.unit == "B/s" : figure.unit == "FLOP/s" || figure.unit == "OP/s";
    if (fits && figure.median > 0) return &figure;
  }
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

/// The mode, and other axes than that of the chart, belong to the name where they tell points of one place apart.
void name_variants(std::vector<Point>& points, const SweepKind& kind) {
  std::set<Mode> modes;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // by operation and axis
  for (const Point& point : points) {
    modes.insert(point.summary->record().at.mode);
    for (const auto& [axis, value] : point.summary->record().at.at)
      if (axis != kind.axis) values[{point.operation, axis}].insert(text_of(value));
  }
  for (Point& point : points) {
    point.variant = point.summary->record().at.kernel.variant;
    for (const auto& [axis, value] : point.summary->record().at.at)
      if (axis != kind.axis && values[{point.operation, axis}].size() > 1)
        point.variant += ", " + axis + " " + axis_text(axis, value);
    if (modes.size() > 1) point.variant.append(", ").append(name_of(point.summary->record().at.mode));
  }
}

void mark_best(std::vector<Point>& points) {
  std::map<std::tuple<std::size_t, std::string, std::string, std::string, double>, Point*> best;
  for (Point& point : points) {
    const Record& record = point.summary->record();
    Point*& holder = best[{point.result, record.device, point.operation, arithmetic_of(record), point.x}];
    if (holder == nullptr || point.figure->median > holder->figure->median) holder = &point;
  }
  for (const auto& [place, point] : best) point->best = true;
}

}  // namespace

bool have_one_size(const std::vector<Point>& points) {
  return std::all_of(points.begin(), points.end(), [&](const Point& each) { return each.x == points.front().x; });
}

std::vector<Point> points_of(const std::vector<Result>& results, const SweepKind& kind, const std::string& device) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const CaseSummary& one : results[i].run.cases) {
      if (!device.empty() && one.record().device != device) continue;
      const Figure* figure = rate_of(one, kind);
      const auto place = place_of(one.record(), kind);
      if (figure == nullptr || !place) continue;
      points.push_back({.result = i, .summary = &one, .figure = figure, .x = place->first, .size = place->second});
    }
  }
  name_operations(points);
  name_variants(points, kind);
  mark_best(points);
  return points;
}

}  // namespace warpmark
