// SPDX-License-Identifier: Apache-2.0
// Watches the worker of one shift until it is done, dead, silent past its deadline, or the run is interrupted.
#pragma once

#include <functional>
#include <string>

#include "harness/core/record.h"
#include "harness/run/interrupts.h"
#include "harness/run/process.h"
#include "harness/run/worker.h"

namespace warpmark {

/// How a worker left its shift.
struct ShiftEnd {
  enum class Kind { done, died, silent, interrupted } kind = Kind::done;
  std::string current{};  // the case that was running; empty between cases
  std::string how{};      // for people, what it did: "died: exit code 3"; about the case that has no record
};

struct ShiftEvents {
  std::function<void(const std::string& id)> begun{};
  std::function<void(const Record& record)>
      recorded{};  // returns when the record is on disk; only then the worker goes on
  std::function<void()> waiting{};
  std::function<double(const std::string& id)> deadline_seconds{};
};

/// Runs the order in a new worker. Throws what `recorded` throws; the worker is dead then.
[[nodiscard]] ShiftEnd watch_shift(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events);

}  // namespace warpmark
