// SPDX-License-Identifier: Apache-2.0
// The host's time. It is the machine's where libvclock.so keeps one and this process goes by it: then it goes on in the
// next process, and what the host sleeps counts for its devices. Elsewhere it is this process's own, from 0.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpmark::fakes {

class HostTime {
 public:
  /// `nanoseconds`: the machine's; null where there is none.
  explicit HostTime(std::atomic<std::int64_t>* nanoseconds) : machine_(nanoseconds) {}

  [[nodiscard]] double seconds() const;
  void spend(double seconds);
  /// Never goes back.
  void wait_until(double seconds);

 private:
  std::atomic<std::int64_t>* machine_;
  double own_seconds_ = 0;
};

/// What libvclock.so keeps, where it is loaded and this process goes by it; else null.
[[nodiscard]] std::atomic<std::int64_t>* machine_time();

}  // namespace warpmark::fakes
