// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/host_time.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "tests/fakes/clock/simulated_clock.h"

namespace warpmark::fakes {
namespace {

double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

}  // namespace

double HostTime::seconds() const { return machine_ == nullptr ? own_seconds_ : seconds_of(machine_->load()); }

void HostTime::spend(double seconds) {
  if (machine_ == nullptr)
    own_seconds_ += seconds;
  else
    machine_->fetch_add(std::llround(seconds * 1e9));
}

void HostTime::wait_until(double seconds) {
  if (machine_ == nullptr) {
    own_seconds_ = std::max(own_seconds_, seconds);
    return;
  }
  // The nanosecond in which it is reached. Compared as seconds: a time that came from here is no later than itself.
  const auto reached = static_cast<std::int64_t>(std::ceil(seconds * 1e9));
  std::int64_t now = machine_->load();
  while (seconds_of(now) < seconds && !machine_->compare_exchange_weak(now, std::max(now, reached))) continue;
}

std::atomic<std::int64_t>* machine_time() {
  static auto* const found = [] {
    const auto ask = reinterpret_cast<decltype(&simulated_clock)>(dlsym(RTLD_DEFAULT, "simulated_clock"));
    return ask == nullptr ? nullptr : ask();
  }();
  return found;
}

}  // namespace warpmark::fakes
