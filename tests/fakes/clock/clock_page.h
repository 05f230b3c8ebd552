// SPDX-License-Identifier: Apache-2.0
// The page of a file in which the processes of a simulated machine share its time and what its devices do, and what
// this process may do to it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tests/fakes/clock/simulated_clock.h"

namespace warpmark::fakes {

/// By the process's first argument.
enum class Role {
  stranger,  // goes by the real clock: the supervisor's watchdogs, the probe's deadline
  mover,     // "worker": what it spends and sleeps is how the machine's time passes
  follower,  // "sampler": sees that time and never moves it
};

struct ClockPage {
  std::atomic<std::uint64_t> mark;  // tells it from a file of somebody else's
  std::atomic<std::int64_t> nanoseconds;
  std::array<DeviceActivity, 32> devices;
};
static_assert(sizeof(ClockPage) <= 4096);
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

struct SharedClock {
  Role role = Role::stranger;
  ClockPage* page = nullptr;  // null for a stranger
};

/// The same for the whole life of the process. Needs nothing that a constructor would have had to prepare. Ends the
/// process with a line on stderr where a process that has a role cannot have the page: real time instead would be
/// taken for the machine's.
[[nodiscard]] SharedClock shared_clock();

}  // namespace warpmark::fakes
