// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/measure/host_clock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace warpmark {
namespace {

thread_local ScriptedHostClock* active = nullptr;

}  // namespace

ScriptedHostClock::ScriptedHostClock() { active = this; }
ScriptedHostClock::~ScriptedHostClock() { active = nullptr; }

void ScriptedHostClock::advance_to(std::int64_t nanoseconds) { nanoseconds_ = std::max(nanoseconds_, nanoseconds); }
void ScriptedHostClock::advance(double seconds) { nanoseconds_ += std::llround(seconds * 1e9); }

ScriptedHostClock* ScriptedHostClock::current() { return active; }

}  // namespace warpmark

// The C library's own symbol: what this program defines comes before what libraries do, also for the C++ library.
extern "C" int clock_gettime(clockid_t id, timespec* to) noexcept {
  constexpr std::int64_t per_second = 1'000'000'000;
  const auto* const clock = warpmark::ScriptedHostClock::current();
  if (id != CLOCK_MONOTONIC || clock == nullptr) return static_cast<int>(syscall(SYS_clock_gettime, id, to));
  to->tv_sec = clock->nanoseconds() / per_second;
  to->tv_nsec = clock->nanoseconds() % per_second;
  return 0;
}
