// SPDX-License-Identifier: Apache-2.0
// A host clock that stands still until a test moves it. The product reads std::chrono::steady_clock; this test program
// answers the system call behind it, so that the product needs no hook.
#pragma once

#include <cstdint>

namespace warpmark {

/// From construction to destruction, CLOCK_MONOTONIC of the calling thread is this clock's. One at a time per thread.
class ScriptedHostClock {
 public:
  ScriptedHostClock();
  ~ScriptedHostClock();
  ScriptedHostClock(const ScriptedHostClock&) = delete;
  ScriptedHostClock& operator=(const ScriptedHostClock&) = delete;

  [[nodiscard]] std::int64_t nanoseconds() const { return nanoseconds_; }
  void advance_to(std::int64_t nanoseconds);
  void advance(double seconds);

  /// The calling thread's; null where it runs on true time.
  [[nodiscard]] static ScriptedHostClock* current();

 private:
  std::int64_t nanoseconds_ = 1'000'000'000'000;
};

}  // namespace warpmark
