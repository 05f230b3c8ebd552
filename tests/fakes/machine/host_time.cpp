// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/host_time.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "tests/fakes/clock/simulated_clock.h"

namespace warpmark::fakes {
namespace {

double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

template <class Function>
Function* found_beside_the_clock(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// By libvclock.so, which knows who has to see what lies between, where it is loaded.
void bring_on(std::atomic<std::int64_t>& machine, std::int64_t until_ns) {
  static auto* const slowly = found_beside_the_clock<decltype(simulated_advance)>("simulated_advance");
  if (slowly != nullptr) return slowly(until_ns);
  std::int64_t now = machine.load();
  while (now < until_ns && !machine.compare_exchange_weak(now, until_ns)) continue;
}

}  // namespace

double HostTime::seconds() const { return machine_ == nullptr ? own_seconds_ : seconds_of(machine_->load()); }

void HostTime::spend(double seconds) {
  if (machine_ == nullptr)
    own_seconds_ += seconds;
  else
    bring_on(*machine_, machine_->load() + std::llround(seconds * 1e9));
}

void HostTime::wait_until(double seconds) {
  if (machine_ == nullptr) {
    own_seconds_ = std::max(own_seconds_, seconds);
    return;
  }
  // The nanosecond in which it is reached. Compared as seconds: a time that came from here is no later than itself.
  const auto reached = static_cast<std::int64_t>(std::ceil(seconds * 1e9));
  if (seconds_of(machine_->load()) < seconds) bring_on(*machine_, reached);
}

std::atomic<std::int64_t>* machine_time() {
  static auto* const found = [] {
    auto* const ask = found_beside_the_clock<decltype(simulated_clock)>("simulated_clock");
    return ask == nullptr ? nullptr : ask();
  }();
  return found;
}

}  // namespace warpmark::fakes
