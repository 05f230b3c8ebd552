// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/transfer_curves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/core/units.h"
#include "harness/stats/order.h"

namespace warpmark {
namespace {

/// A fit that is further off than this somewhere does not describe its curve.
constexpr double far_off = 0.15;

using Key = std::tuple<std::string, std::string, std::string, std::string>;  // device, direction, node, kind

std::string word_of(const Record& record, std::string_view axis) {
  for (const auto& [name, value] : record.at.at)
    if (name == axis) return text_of(value);
  return "";
}

/// Of a launch: the median over the repeats that may be used.
std::optional<double> seconds_of(const CaseSummary& one) {
  std::vector<double> medians;
  for (const Record* record : one.repeats)
    if (usable(*record) && record->stats) medians.push_back(record->stats->median);
  return medians.empty() ? std::nullopt : std::optional(median(sorted(medians)));
}

std::optional<TransferCurve> curve_of(const Key& key, std::vector<LinePoint> points) {
  std::sort(points.begin(), points.end(), [](const LinePoint& a, const LinePoint& b) { return a.x < b.x; });
  const std::optional<LineFit> fit = relative_line_fit(points);
  if (!fit || !(fit->slope > 0)) return std::nullopt;
  const double latency = std::max(fit->offset, 0.0);
  const auto& [device, direction, node, kind] = key;
  return TransferCurve{.device = device,
                       .direction = direction,
                       .node = node,
                       .kind = kind,
                       .latency_seconds = latency,
                       .bandwidth = 1 / fit->slope,
                       .half_bytes = latency / fit->slope,
                       .worst = fit->worst,
                       .points = std::move(points)};
}

std::string place_of(const TransferCurve& curve) {
  return fmt::format("{} {}, {}", curve.device, curve.direction == "both" ? "both ways together" : curve.direction,
                     curve.node);
}

double best_rate(const TransferCurve& curve) {
  double best = 0;
  for (const LinePoint& point : curve.points) best = std::max(best, point.x / point.y);
  return best;
}

bool is_line(const TransferCurve& curve) { return curve.worst <= far_off; }

/// Of all curves of a place that are no lines.
std::vector<std::string> lines_of_others(const std::vector<TransferCurve>& curves) {
  std::map<std::string, std::vector<std::string>> rates;
  for (const TransferCurve& curve : curves)
    if (!is_line(curve))
      rates[place_of(curve)].push_back(fmt::format("{} {}", curve.kind, format_rate(best_rate(curve), "B/s")));
  std::vector<std::string> lines;
  for (const auto& [place, of_place] : rates)
    lines.push_back(fmt::format("{}: at their best {}; the sizes lie on no line, as where caches hold the small ones",
                                place, fmt::join(of_place, ", ")));
  return lines;
}

std::string line_of(const TransferCurve& curve) {
  if (!(curve.latency_seconds > 0))
    return fmt::format("{}: {} {}, whatever the size", place_of(curve), curve.kind,
                       format_rate(best_rate(curve), "B/s"));
  return fmt::format("{}: {} {}, {} for a copy of nothing, half of the rate from {} on", place_of(curve), curve.kind,
                     format_rate(curve.bandwidth, "B/s"), format_seconds(curve.latency_seconds),
                     format_bytes(curve.half_bytes));
}

}  // namespace

std::vector<TransferCurve> transfer_curves(const RunSummary& run) {
  std::map<Key, std::vector<LinePoint>> points;
  for (const CaseSummary& one : run.cases) {
    const Record& record = one.record();
    if (record.benchmark != "transfer/copy") continue;
    if (const auto seconds = seconds_of(one))
      points[{record.device, word_of(record, "direction"), word_of(record, "node"), record.at.kernel.variant}]
          .push_back({.x = record.work.bytes(), .y = *seconds});
  }
  std::vector<TransferCurve> curves;
  for (auto& [key, of_key] : points)
    if (auto curve = curve_of(key, std::move(of_key))) curves.push_back(*std::move(curve));
  return curves;
}

std::vector<std::string> transfer_lines(const std::vector<TransferCurve>& curves, std::string_view times) {
  std::vector<std::string> lines;
  for (const TransferCurve& curve : curves)
    if (is_line(curve)) lines.push_back(line_of(curve));
  for (std::string& line : lines_of_others(curves)) lines.push_back(std::move(line));
  for (const TransferCurve& pinned : curves) {
    if (pinned.kind != "pinned" || !is_line(pinned)) continue;
    const auto other = std::find_if(curves.begin(), curves.end(), [&pinned](const TransferCurve& each) {
      return each.kind == "pageable" && is_line(each) && place_of(each) == place_of(pinned);
    });
    if (other != curves.end())
      lines.push_back(
          fmt::format("{}: pinned is {:.1f}{}pageable", place_of(pinned), pinned.bandwidth / other->bandwidth, times));
  }
  return lines;
}

}  // namespace warpmark
