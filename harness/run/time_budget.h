// SPDX-License-Identifier: Apache-2.0
// What of a run fits into the time that its user gave. The order of importance: a first repeat of everything before a
// second of anything; within a repeat a case of every benchmark before a second of any, a benchmark's last one, which
// is its largest, first. What does not fit is dropped from the end of that order, and a case that is longer than all
// that is left.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/core/protocol.h"
#include "harness/device/device.h"
#include "harness/run/plan.h"

namespace warpmark {

/// The time that a run may take, from when it was called.
struct TimeLimit {
  std::optional<double> seconds{};  // empty: as long as it takes
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// Without a limit everything fits.
  TimeBudget(const TimeLimit& limit, const std::vector<PlannedCase>& cases, int repeats, const Protocol& protocol,
             const DeviceInfo& device);

  [[nodiscard]] bool is_given() const { return limit_.seconds.has_value(); }
  /// "2 min", for people.
  [[nodiscard]] std::string text() const;

  /// The cost of what follows is judged by what came before. `is_measured`: it took what a measurement takes, unlike
  /// one that was skipped.
  void took(const std::string& id, double seconds, bool is_measured);

  using IsDone = std::function<bool(const MeasurementKey& key)>;
  /// Those of what is left that fit into the time that is left.
  [[nodiscard]] std::set<MeasurementKey> affordable(const IsDone& is_done) const;
  /// Whether one of them is among those.
  [[nodiscard]] bool affords(const MeasurementKey& wanted, const IsDone& is_done) const;
  /// Until a case that runs is ended, whatever it is doing: a twelfth more than was given.
  [[nodiscard]] double seconds_to_cut() const;

 private:
  struct Known {
    std::string family{};  // whose worker has to be started
    double estimated = 0;  // seconds, before anything was measured
    double least = 0;      // seconds that it is bound to take, however fast the machine
    double measured = 0;   // seconds, in sum
    int count = 0;         // of measurements in that sum
  };
  [[nodiscard]] double expected(const Known& known) const;
  [[nodiscard]] double seconds_left() const;
  /// Calls `take` with each that fits, by importance, until it returns false.
  void walk(const IsDone& is_done, const std::function<bool(const MeasurementKey& key)>& take) const;

  TimeLimit limit_;
  double start_seconds_;  // of a worker
  std::unordered_map<std::string, Known> cases_{};
  std::vector<MeasurementKey> by_importance_{};  // everything, the most important first
  double estimated_sum_ = 0;                     // of what has been measured
  double measured_sum_ = 0;
};

}  // namespace warpmark
