// SPDX-License-Identifier: Apache-2.0
// Whether somebody set a GPU's power limit below the one that it came with.
#pragma once

#include <algorithm>
#include <optional>

namespace warpmark {

/// The limit that holds, in watts: what was set, or what chassis and firmware enforce where that is less.
[[nodiscard]] inline std::optional<double> effective_power_limit(std::optional<double> limit_w,
                                                                 std::optional<double> enforced_w) {
  if (limit_w && enforced_w) return std::min(*limit_w, *enforced_w);
  return limit_w ? limit_w : enforced_w;
}

/// By what share of its default the limit is lower; empty where it is not by more than rounding.
[[nodiscard]] inline std::optional<double> below_default_limit(std::optional<double> limit_w,
                                                               std::optional<double> default_w) {
  constexpr double rounding = 0.01;
  if (!limit_w || !default_w || !(*default_w > 0) || !(*limit_w < (1 - rounding) * *default_w)) return std::nullopt;
  return 1 - *limit_w / *default_w;
}

}  // namespace warpmark
