// SPDX-License-Identifier: Apache-2.0
// Runs a kernel's grid on the calling thread: one block after the other, its threads as fibers where they meet at
// barriers, as a plain loop where they do not.
#pragma once

#include <functional>
#include <string>

#include "tests/fakes/executor/device_timers.h"

namespace warpmark::fakes {

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  [[nodiscard]] std::size_t count() const { return std::size_t{x} * y * z; }
};

/// Runs `thread` once for every thread of the grid. Returns why the grid could not finish: threads that wait at a
/// barrier which others never reach. Empty when it did. One grid at a time in a process.
[[nodiscard]] std::string run_grid(const Extent& grid, const Extent& block, const std::function<void()>& thread,
                                   DeviceTimers& timers);

}  // namespace warpmark::fakes
