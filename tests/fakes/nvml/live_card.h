// SPDX-License-Identifier: Apache-2.0
// A card at a moment of the machine's time: what it draws, how fast it runs, what its counters have come to.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/fakes/clock/simulated_clock.h"
#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

/// The machine's time where libvclock.so keeps one and this process follows it; else real time from now on.
class MachineTime {
 public:
  MachineTime();
  [[nodiscard]] double seconds() const;

 private:
  const std::atomic<std::int64_t>* shared_ = nullptr;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// A process on the card.
struct Tenant {
  unsigned pid = 0;
  unsigned long long used_bytes = 0;  // all ones: not known
};

class LiveCard {
 public:
  LiveCard(const DeviceTruth& device, int ordinal, const MachineTime& time);

  [[nodiscard]] const DeviceTruth& device() const { return device_; }
  [[nodiscard]] const CardTruth& truth() const { return device_.card; }
  /// In the scenario.
  [[nodiscard]] int ordinal() const { return ordinal_; }

  [[nodiscard]] bool is_busy() const;
  /// The same, but for what is said of a window in the past: the first readings may show what was before.
  [[nodiscard]] bool looks_busy();
  [[nodiscard]] unsigned sm_mhz() const;
  [[nodiscard]] unsigned long long reasons() const;

  // Counters, which never fall.
  [[nodiscard]] unsigned long long energy_mj();
  /// By the place of the reason in `counted_reasons`.
  [[nodiscard]] unsigned long long held_ns(std::size_t counter);
  [[nodiscard]] unsigned long long sent_bytes() const;
  [[nodiscard]] unsigned long long received_bytes() const;

  [[nodiscard]] std::uint64_t used_bytes() const;  // with what is reserved
  [[nodiscard]] std::vector<Tenant> tenants() const;
  [[nodiscard]] double seconds() const { return time_.seconds(); }

 private:
  [[nodiscard]] double busy_seconds() const;
  /// The worker that holds the device; 0: nobody.
  [[nodiscard]] unsigned worker() const;

  const DeviceTruth& device_;
  int ordinal_;
  const MachineTime& time_;
  const DeviceActivity* activity_;
  unsigned stale_;
  double energy_j_ = 0;
  std::array<double, counted_reasons.size()> held_seconds_{};
};

}  // namespace warpmark::fakes
