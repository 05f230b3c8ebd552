// SPDX-License-Identifier: Apache-2.0
// The part of a device that does what streams bring: it gives each operation its time and its effect.
#pragma once

#include <cuda.h>

#include <set>
#include <vector>

#include "tests/fakes/machine/fault_plan.h"
#include "tests/fakes/machine/jitter.h"
#include "tests/fakes/machine/l2_cache.h"
#include "tests/fakes/machine/operation.h"
#include "tests/fakes/machine/scenario.h"
#include "tests/fakes/machine/sm_clock.h"

namespace warpmark::fakes {

/// When an operation ended, and with which error.
struct Done {
  double seconds = 0;
  CUresult code = CUDA_SUCCESS;
};

class Engine {
 public:
  Engine(const DeviceTruth& truth, int ordinal, FaultPlan& faults, const Jitter& jitter);

  /// From `start` on. `host_seconds`: the host's time at which it waits for this. Throws Hang.
  [[nodiscard]] Done run(const Operation& operation, double start, double host_seconds);
  /// Memory was handed out or taken back: what was computed may be gone.
  void forget_results();

 private:
  /// `overhead_seconds`: what it takes beside what the kernel does.
  [[nodiscard]] Done launch(const Launch& launch, double start, double host_seconds, double overhead_seconds);
  [[nodiscard]] Done together(const Together& graph, double start, double host_seconds);
  [[nodiscard]] Done copy(const Copy& copy, double start);
  [[nodiscard]] Done fill(const Fill& fill, double start);
  [[nodiscard]] double model_end(const Launch& launch, const Work& work, double start, double overhead_seconds);
  /// Of everything that a launch touches.
  struct Level {
    double bandwidth = 0;
    double load_seconds = 0;
  };
  [[nodiscard]] Level level_of(const std::vector<ByteRange>& touched);
  [[nodiscard]] bool has_to_run(const Launch& launch);

  const DeviceTruth& truth_;
  int ordinal_;
  FaultPlan& faults_;
  Jitter jitter_;
  SmClock clock_;
  L2Cache l2_;
  double copying_until_[2] = {};  // by direction: there is one engine for each

  // Launches of one kernel, one after the other: with parameters that were seen among them nothing would change.
  const Twin* row_of_ = nullptr;
  std::set<std::vector<std::byte>> seen_in_row_{};
};

}  // namespace warpmark::fakes
