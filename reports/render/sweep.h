// SPDX-License-Identifier: Apache-2.0
// Numbers over sizes: the cases of all results that one chart shows, as points on its axes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/result.h"

namespace warpmark {

/// Units that share an axis.
enum class UnitGroup : std::uint8_t { bytes_per_second, arithmetic, seconds, other };

[[nodiscard]] UnitGroup unit_group_of(std::string_view unit);

/// What a chart shows: numbers of one group of units over one axis of the benchmarks.
struct SweepKind {
  std::string_view file{};  // of the template; empty: bars
  std::string title{};
  std::string subject{};      // of the title at one size
  std::string_view family{};  // of its benchmarks; empty: of all
  std::string_view axis{};    // empty: every case is a place of its own, called by its axes
  std::string_view axis_title{};
  UnitGroup units = UnitGroup::other;

  /// Types repeat or flatter each other there, and caches lie along it.
  [[nodiscard]] bool over_footprint() const { return axis == "footprint"; }
  /// The variants are what it is about: kinds of the host's memory.
  [[nodiscard]] bool over_variants() const { return family == "transfer"; }
};

/// Lines, in the order of the page.
[[nodiscard]] std::vector<SweepKind> line_sweeps();

/// Bars of a family whose benchmarks no line joins.
[[nodiscard]] SweepKind bars_of(std::string_view family, UnitGroup units);

/// A case on a chart.
struct Point {
  std::size_t result = 0;  // index of the result that it belongs to
  const CaseSummary* summary = nullptr;
  const Figure* figure = nullptr;
  double x = 0;
  std::string size{};  // the same in words: "32 KiB", "main memory", "1024"
  std::string operation{};
  std::string variant{};  // with the mode and other axes, where the chart has several of them
  bool best = false;      // of the variants of its operation, type and size
};

/// Whether a line could join none of them.
[[nodiscard]] bool have_one_size(const std::vector<Point>& points);

/// The points of one device, or of all devices where `device` is empty. In the order of the cases.
[[nodiscard]] std::vector<Point> points_of(const std::vector<Result>& results, const SweepKind& kind,
                                           const std::string& device);

}  // namespace warpmark
