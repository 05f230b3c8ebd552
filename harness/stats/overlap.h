// SPDX-License-Identifier: Apache-2.0
// How much of two pieces of work went on at once, from the times of each alone and of both together.
#pragma once

#include <algorithm>

namespace warpmark {

/// 1 where the shorter one costs nothing beside the longer, 0 where they take as long as one after the other.
[[nodiscard]] constexpr double overlap_share(double first_alone, double second_alone, double together) {
  const double shorter = std::min(first_alone, second_alone);
  return shorter > 0 ? std::clamp((first_alone + second_alone - together) / shorter, 0.0, 1.0) : 0;
}

}  // namespace warpmark
