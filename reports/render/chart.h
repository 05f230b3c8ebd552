// SPDX-License-Identifier: Apache-2.0
// The charts of a device: Vega-Lite templates (reports/templates) with the numbers of a run in place of their sample
// data.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/summary/summary.h"

namespace warpmark {

struct Chart {
  std::string title{};
  std::string description{};  // for those who cannot see it
  nlohmann::json spec{};      // complete, with its data
};

/// One chart per template that has something to show for the device. Points are repeats, never samples.
[[nodiscard]] std::vector<Chart> charts_of(const RunSummary& run, const nlohmann::json& device);

}  // namespace warpmark
