// SPDX-License-Identifier: Apache-2.0
// The C library's functions for reading and awaiting the monotonic clock, by the simulated machine's time. What the
// C++ library and the program call is found here first, because this library is preloaded.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "tests/fakes/clock/clock_page.h"
#include "tests/fakes/clock/simulated_clock.h"

namespace warpmark::fakes {
namespace {

constexpr std::int64_t per_second = 1'000'000'000;
/// What a reading takes of a mover's time, about what it takes in truth: who spins on the clock gets somewhere.
constexpr std::int64_t reading_ns = 25;
/// How often a follower looks, in real time.
constexpr std::int64_t look_ns = 1'000'000;

bool is_monotonic(clockid_t id) {
  return id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC_COARSE;
}

bool is_time(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < per_second;
}

std::int64_t nanoseconds_of(const timespec& time) {
  constexpr std::int64_t most_seconds = 1'000'000'000;  // three decades: sums stay numbers
  return std::min<std::int64_t>(time.tv_sec, most_seconds) * per_second + time.tv_nsec;
}

timespec time_of(std::int64_t nanoseconds) {
  return {.tv_sec = nanoseconds / per_second, .tv_nsec = nanoseconds % per_second};
}

/// An error number; 0: none.
int error_of(long returned) { return returned == 0 ? 0 : errno; }

/// Until others have brought the time that far, but no longer than it would take by the real clock: a machine on which
/// nobody works, or one that hangs, keeps nobody from ending.
int follow(const ClockPage& page, std::int64_t until, timespec* left) {
  const std::int64_t longest = until - page.nanoseconds;
  for (std::int64_t waited = 0; waited < longest && page.nanoseconds < until; waited += look_ns) {
    const timespec step = time_of(std::min(look_ns, longest - waited));
    if (error_of(syscall(SYS_nanosleep, &step, nullptr)) == 0) continue;
    if (left != nullptr) *left = time_of(std::max<std::int64_t>(until - page.nanoseconds, 0));
    return EINTR;
  }
  return 0;
}

/// For as long, or until then; `left` is what is missing where a signal comes in between.
int sleep_on(const SharedClock& clock, const timespec* time, bool absolute, timespec* left) {
  if (!is_time(time)) return EINVAL;
  auto& now = clock.page->nanoseconds;
  const std::int64_t asked = nanoseconds_of(*time);
  if (clock.role == Role::follower)
    return absolute ? follow(*clock.page, asked, nullptr) : follow(*clock.page, now + asked, left);
  if (!absolute) {
    now.fetch_add(asked);
    return 0;
  }
  std::int64_t seen = now;
  while (seen < asked && !now.compare_exchange_weak(seen, asked)) continue;
  return 0;
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's names are reserved ones.
extern "C" int clock_gettime(clockid_t id, timespec* to) noexcept {
  const SharedClock clock = is_monotonic(id) ? shared_clock() : SharedClock{};
  if (clock.page == nullptr) return static_cast<int>(syscall(SYS_clock_gettime, id, to));
  auto& now = clock.page->nanoseconds;
  *to = time_of(clock.role == Role::mover ? now.fetch_add(reading_ns) + reading_ns : now.load());
  return 0;
}

extern "C" int nanosleep(const timespec* time, timespec* left) {
  const SharedClock clock = shared_clock();
  if (clock.page == nullptr) return static_cast<int>(syscall(SYS_nanosleep, time, left));
  const int error = sleep_on(clock, time, false, left);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

extern "C" int clock_nanosleep(clockid_t id, int flags, const timespec* time, timespec* left) {
  const SharedClock clock = is_monotonic(id) ? shared_clock() : SharedClock{};
  if (clock.page == nullptr) return error_of(syscall(SYS_clock_nanosleep, id, flags, time, left));
  return sleep_on(clock, time, (flags & TIMER_ABSTIME) != 0, left);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

std::atomic<std::int64_t>* simulated_clock() {
  const SharedClock clock = shared_clock();
  return clock.page == nullptr ? nullptr : &clock.page->nanoseconds;
}

DeviceActivity* simulated_activity(int device) {
  const SharedClock clock = shared_clock();
  if (clock.page == nullptr || device < 0 || static_cast<std::size_t>(device) >= clock.page->devices.size())
    return nullptr;
  return &clock.page->devices[static_cast<std::size_t>(device)];
}
