// SPDX-License-Identifier: Apache-2.0
// The data of a chart: its rows for Vega-Lite, and the same numbers as a table.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/render/ceiling_labels.h"
#include "reports/render/sweep.h"

namespace warpmark {

/// One scale for all rates of a chart.
struct RateScale {
  double factor = 1;
  std::string units{};  // "GB/s"; "GFLOP/s, GOP/s" where there are two kinds
  RateAxis axis{};      // in SI base units; logarithmic where a linear one would press the low series flat
};
[[nodiscard]] RateScale rate_scale_of(const std::vector<Point>& points);

/// Rows of kind "case", "ceiling" and "cache", as the templates have them in their samples.
[[nodiscard]] nlohmann::json chart_rows(const std::vector<Point>& points, const SweepKind& kind,
                                        const std::vector<Result>& results, const RateScale& scale);
/// Rows for bars: the cases, each with its ceiling and its number in words. Those of one operation and type stand
/// together, whichever result they are of.
[[nodiscard]] nlohmann::json bar_rows(const std::vector<Point>& points, const std::vector<Result>& results,
                                      const RateScale& scale);
/// A row per operation, type, variant and result, a column per size.
[[nodiscard]] nlohmann::json chart_table(const std::vector<Point>& points, const SweepKind& kind,
                                         const std::vector<Result>& results, const RateScale& scale);

}  // namespace warpmark
