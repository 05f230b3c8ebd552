// SPDX-License-Identifier: Apache-2.0
// The readings of one device, in order of time, and what they come to between two moments.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>

#include "harness/telemetry/sampling/reading.h"

namespace warpmark {

class Readings {
 public:
  /// Keeps at most some hundred thousand: of more, every other one goes, and so do those that come.
  void add(const Reading& reading);
  /// Nobody asks for what lies before. The last reading before it stays: counters grow from there.
  void forget_before(double seconds);
  /// Times are seconds of CLOCK_MONOTONIC. What counters grew by is as if
  /// evenly between the readings around the window's edges. Members of a
  /// record's `telemetry.sampled` (harness/store/schema/result.schema.json): medians and extremes, what held the clock
  /// down, and a series of at most 240 points. What no reading had is absent.
  [[nodiscard]] nlohmann::json between(double begin_seconds, double end_seconds) const;

 private:
  std::deque<Reading> readings_{};
  std::size_t stride_ = 1;  // of the readings that come, one is kept
  std::size_t skipped_ = 0;
};

}  // namespace warpmark
