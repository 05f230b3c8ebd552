// SPDX-License-Identifier: Apache-2.0
// Rates over sizes: the cases of all results that one chart shows, as points on its axes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/render/result.h"

namespace warpmark {

/// What a chart shows: the rates of one kind of unit over one axis of the benchmarks.
struct SweepKind {
  std::string_view file{};  // of the template
  std::string_view title{};
  std::string_view subject{};  // of the title
  std::string_view axis{};
  bool counts_bytes = false;  // the axis, and the unit
};

inline constexpr SweepKind bandwidth_sweep{.file = "bandwidth.vl.json",
                                           .title = "Bandwidth over footprint",
                                           .subject = "Bandwidth",
                                           .axis = "footprint",
                                           .counts_bytes = true};
inline constexpr SweepKind matrix_sweep{.file = "matrix_rate.vl.json",
                                        .title = "Matrix products over size",
                                        .subject = "Matrix products",
                                        .axis = "n",
                                        .counts_bytes = false};

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
