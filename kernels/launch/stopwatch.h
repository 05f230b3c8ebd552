// SPDX-License-Identifier: Apache-2.0
// Times single calls on the host's clock, of which a reading takes as long as a hundredth of some of them: less that.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>

namespace warpmark {

/// Between two readings of the host's clock with nothing in between: the median of many.
[[nodiscard]] inline double clock_reading_seconds() {
  static const double median = [] {
    std::array<double, 1001> all{};
    for (double& one : all) {
      const auto start = std::chrono::steady_clock::now();
      one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    return all[all.size() / 2];
  }();
  return median;
}

/// Seconds that a call takes.
template <class Call>
[[nodiscard]] double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - start).count() - clock_reading_seconds();
}

}  // namespace warpmark
