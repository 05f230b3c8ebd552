// SPDX-License-Identifier: Apache-2.0
// Labels of ceilings beside a chart's axis: those that would lie on one another become one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpmark {

/// A ceiling at its place on the axis, and what it is called: "f16", "A f16"; empty for the only one.
struct NamedCeiling {
  double value = 0;
  std::string name{};
};

/// The axis that the labels stand on.
struct RateAxis {
  double low = 0;
  double high = 0;
  bool logarithmic = false;

  /// Whether two lines of text at these values would touch.
  [[nodiscard]] bool touch(double a, double b) const;
};

/// A label for each, "bf16, f16 ceiling" at the first of those that touch and "" at the others.
[[nodiscard]] std::vector<std::string> ceiling_labels(const std::vector<NamedCeiling>& ceilings, const RateAxis& axis);

}  // namespace warpmark
