// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/activity_log.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace warpmark::fakes {
namespace {

std::int64_t nanoseconds_of(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace

void ActivityLog::begin(double seconds) {
  if (to_ == nullptr) return;
  const std::int64_t begun = nanoseconds_of(seconds);
  // Not busy in between, so nothing is added.
  if (begun > to_->busy_until_ns) to_->busy_until_ns = begun;
}

void ActivityLog::end(double begun_seconds, double ended_seconds) {
  if (to_ == nullptr) return;
  const std::int64_t from = std::max(nanoseconds_of(begun_seconds), to_->busy_until_ns.load());
  const std::int64_t until = nanoseconds_of(ended_seconds);
  if (until <= from) return;
  to_->busy_until_ns = until;  // first: who reads in between sees too little, never more than there was
  to_->busy_ns += until - from;
  for (const HeldDown& held : held_down_)
    if (const auto counter = counter_of(held.reason))
      to_->held_ns[*counter] +=
          nanoseconds_of(held_seconds(held, static_cast<double>(from) * 1e-9, static_cast<double>(until) * 1e-9));
}

void ActivityLog::copied(std::size_t bytes, bool to_device) {
  if (to_ == nullptr) return;
  (to_device ? to_->received_bytes : to_->sent_bytes) += static_cast<std::int64_t>(bytes);
}

void ActivityLog::hold(std::size_t bytes) {
  if (to_ == nullptr) return;
  to_->memory_bytes = static_cast<std::int64_t>(bytes);
  to_->process = getpid();
}

void ActivityLog::leave() {
  if (to_ == nullptr) return;
  to_->process = 0;
  to_->memory_bytes = 0;
}

double held_seconds(const HeldDown& held, double from, double until) {
  return std::max(std::min(until, held.until_seconds) - std::max(from, held.from_seconds), 0.0);
}

DeviceActivity* machine_activity(int device) {
  const auto ask = reinterpret_cast<decltype(&simulated_activity)>(dlsym(RTLD_DEFAULT, "simulated_activity"));
  return ask == nullptr ? nullptr : ask(device);
}

}  // namespace warpmark::fakes
