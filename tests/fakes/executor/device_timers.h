// SPDX-License-Identifier: Apache-2.0
// The time that a running kernel can read, on the simulated device's own clock.
#pragma once

#include <cstdint>

namespace warpmark::fakes {

/// Every reading takes a little of that time, so that a kernel that waits for it comes to an end.
class DeviceTimers {
 public:
  DeviceTimers() = default;
  DeviceTimers(const DeviceTimers&) = delete;
  DeviceTimers& operator=(const DeviceTimers&) = delete;
  virtual ~DeviceTimers() = default;

  [[nodiscard]] virtual std::uint64_t nanoseconds() = 0;
  [[nodiscard]] virtual std::int64_t clocks() = 0;
};

}  // namespace warpmark::fakes
