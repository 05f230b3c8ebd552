// SPDX-License-Identifier: Apache-2.0
// What of a run fits into the time that its user gave. The order of importance: a first repeat of everything before a
// second of anything; within a repeat a case of every benchmark before a second of any, a benchmark's last one, which
// is its largest, first. What does not fit is dropped from the end of that order, and a case that is longer than all
// that is left.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/core/protocol.h"
#include "harness/device/device.h"
#include "harness/run/plan.h"

namespace warpmark {

class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// Without `seconds` everything fits. Time counts from `began`.
  TimeBudget(std::optional<double> seconds, Clock::time_point began, const std::vector<PlannedCase>& cases,
             const Protocol& protocol, const DeviceInfo& device);

  [[nodiscard]] bool is_given() const { return seconds_.has_value(); }
  /// "2 min", for people.
  [[nodiscard]] std::string text() const;

  /// The cost of what follows is judged by what came before.
  void took(const std::string& id, double seconds);

  /// Those of what is left that fit into the time that is left, by importance.
  [[nodiscard]] std::set<MeasurementKey> affordable(std::vector<MeasurementKey> left) const;
  /// Until a case that runs is ended, whatever it is doing: a twelfth more than was given.
  [[nodiscard]] double seconds_to_cut() const;

 private:
  struct Known {
    std::size_t rank = 0;  // 0 is the most important
    std::string family{};  // whose worker has to be started
    double estimated = 0;  // seconds, before anything was measured
    double measured = 0;   // seconds, in sum
    int count = 0;         // of measurements in that sum
  };
  [[nodiscard]] double expected(const Known& known) const;
  [[nodiscard]] double seconds_left() const;

  std::optional<double> seconds_;
  Clock::time_point began_;
  double start_seconds_;  // of a worker
  std::map<std::string, Known> cases_{};
  double estimated_sum_ = 0;  // of what has been measured
  double measured_sum_ = 0;
};

}  // namespace warpmark
