// SPDX-License-Identifier: Apache-2.0
// The clock of a device's SMs over the device's time: how many clocks have passed when, throttling included.
#pragma once

#include <algorithm>

#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

class SmClock {
 public:
  SmClock(double hz, const Throttle& throttle) : hz_(hz), throttle_(throttle) {}

  /// Clocks from second 0 until then.
  [[nodiscard]] double clocks_until(double seconds) const {
    const double slow = std::max(seconds - throttle_.at_seconds, 0.0);
    return hz_ * (seconds - slow + throttle_.factor * slow);
  }

  /// When so many clocks will have passed since then.
  [[nodiscard]] double after(double seconds, double clocks) const {
    if (seconds >= throttle_.at_seconds) return seconds + clocks / (hz_ * throttle_.factor);
    const double fast = std::min(clocks, hz_ * (throttle_.at_seconds - seconds));
    return seconds + fast / hz_ + (clocks - fast) / (hz_ * throttle_.factor);
  }

 private:
  double hz_;
  Throttle throttle_;
};

}  // namespace warpmark::fakes
