// SPDX-License-Identifier: Apache-2.0
// Units as people write them into a file of bands ("GB/s", "TFLOP/s", "us"): what one is in the unit of a metric.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark {

struct BandUnit {
  double factor = 1;     // 1e9 of "GB/s"
  std::string metric{};  // as metrics have it: "B/s"

  /// The number in the metric's unit, as near as a double comes: 20 us are 20e-6 s, and not a bit less.
  [[nodiscard]] double of(double number) const;
};

/// Empty for what is no unit that a metric has.
[[nodiscard]] std::optional<BandUnit> band_unit_named(std::string_view name);

}  // namespace warpmark
