// SPDX-License-Identifier: Apache-2.0
// What a device does, told to libraries in other processes that say how the card fares: in memory that libvclock.so
// shares, where it is loaded and this process goes by its time; else to nobody.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/fakes/clock/simulated_clock.h"
#include "tests/fakes/machine/card_truth.h"

namespace warpmark::fakes {

class ActivityLog {
 public:
  /// Null: to nobody.
  ActivityLog(DeviceActivity* to, const std::vector<HeldDown>& held_down) : to_(to), held_down_(held_down) {}

  /// An operation begins then. Until it ends, time does not go on, and the device is busy.
  void begin(double seconds);
  /// It is done. What overlaps with others counts once.
  void end(double begun_seconds, double ended_seconds);
  void copied(std::size_t bytes, bool to_device);
  /// So much memory is held by this process.
  void hold(std::size_t bytes);
  /// This process has let go of the device.
  void leave();

 private:
  DeviceActivity* to_;
  const std::vector<HeldDown>& held_down_;
};

/// How much of the time between two moments the clock was held down.
[[nodiscard]] double held_seconds(const HeldDown& held, double from, double until);

/// Where a device of this machine tells it; null: nowhere.
[[nodiscard]] DeviceActivity* machine_activity(int device);

}  // namespace warpmark::fakes
