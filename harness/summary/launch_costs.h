// SPDX-License-Identifier: Apache-2.0
// What launches cost a device's user, and how small work has to be for the launch to cost more than the work: from the
// document's own launches, bandwidths and products.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/summary/summary.h"

namespace warpmark {

/// Work that takes as long as one launch does, at the rate of the largest sizes that were measured.
struct BreakEven {
  double bytes = 0;       // through memory, by the fastest loop; 0: no bandwidth was measured
  double elements = 0;    // of a triad in f64, where that was measured, else in f32; 0: neither was
  std::string of_type{};  // of the elements
  double n = 0;           // of square matrices in the type whose products are fastest; 0: none were measured
  std::string arithmetic{};
};

struct LaunchCosts {
  std::string device{};
  std::optional<double> in_a_row_seconds{};  // one launch after the other: what host or device takes, if that is longer
  std::optional<double> waited_for_seconds{};  // the round trip
  std::optional<BreakEven> in_a_row{};
  std::optional<BreakEven> waited_for{};
};

/// Of each device whose launches were measured, those with the fewest arguments and blocks.
[[nodiscard]] std::vector<LaunchCosts> launch_costs(const RunSummary& run);

/// "cuda:0: a launch costs 2.50 µs where others follow it (as long as 7.63 MiB through memory, ...), and 6.10 µs where
/// its end is waited for (...); smaller work costs less than its launch".
[[nodiscard]] std::string launch_costs_text(const LaunchCosts& costs);

}  // namespace warpmark
