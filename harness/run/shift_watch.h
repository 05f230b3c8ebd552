// SPDX-License-Identifier: Apache-2.0
// Watches the worker of one shift until it is done, dead, silent past its deadline, or has to stop.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/core/record.h"
#include "harness/run/interrupts.h"
#include "harness/run/process.h"
#include "harness/run/worker.h"

namespace warpmark {

/// How a worker left its shift.
struct ShiftEnd {
  enum class Kind { done, died, silent, unusable, interrupted, stopped } kind = Kind::done;
  std::string current{};           // the case that was running; empty between cases
  std::string how{};               // for people, what it did: "died: exit code 3"; why the device is unusable
  bool is_cut = false;             // silent until `longest_wait`, and not until its own deadline
  bool has_begun = false;          // it opened the device and came to a case
  std::optional<pid_t> unended{};  // the worker, where it cannot be ended
};

struct ShiftEvents {
  std::function<void(const std::string& id)> begun{};  // when it returns, the worker begins
  std::function<void(const Record& record)>
      recorded{};  // returns when the record is on disk; only then the worker goes on
  std::function<void()> waiting{};
  std::function<double(const std::string& id)> deadline_seconds{};
  std::function<bool(const std::string& id)> may_begin{};  // asked before every case but the first; false stops
  double start_timeout = 60;                               // seconds, for what is between cases
  std::function<double()> longest_wait{};                  // seconds that no deadline may exceed
};

/// Runs the order in a new worker. Throws what `recorded` throws; the worker is dead then.
[[nodiscard]] ShiftEnd watch_shift(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events,
                                   Processes& processes);

}  // namespace warpmark
