// SPDX-License-Identifier: Apache-2.0
// The charts of a report: Vega-Lite templates (reports/templates) with the numbers of the results in place of their
// sample data, and a table behind each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/result.h"

namespace warpmark {

struct Chart {
  std::string title{};
  std::string device{};       // where the results have several
  bool bars = false;          // of one size; lines otherwise
  std::string description{};  // for those who cannot see it
  nlohmann::json spec{};      // complete, with its data
  nlohmann::json table{};     // {caption, sizes: [text], rows: [{name, cells: [{text, best}]}]}
};

/// One chart per template that has something to show, for each device. Points and bars are medians over repeats, the
/// rules at them the range over repeats.
[[nodiscard]] std::vector<Chart> charts_of(const std::vector<Result>& results);

/// A template without its sample data, for charts that the page itself fills.
[[nodiscard]] nlohmann::json empty_template(std::string_view name);

}  // namespace warpmark
