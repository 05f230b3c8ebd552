// SPDX-License-Identifier: Apache-2.0
// The contract of transfer: bytes go between memory of the host's, which the kernel makes, and the device's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

enum class Direction : std::uint8_t {
  h2d,   // host to device
  d2h,   // device to host
  both,  // at once
};

inline constexpr int any_node = -1;

/// Binding makes the host's memory of the kind that the variant is named for, on the NUMA node, and fills what goes to
/// the device from `source`. A launch brings it to `landing`, or `source` to the host, or both at once. What came to
/// the host is brought into `returned` when it is to be checked (Bound::plain_result), once: the host's memory is wiped
/// then, and `returned` stays as it is until something came again.
struct Transfer {
  const void* source = nullptr;  // on the device
  void* landing = nullptr;       // on the device; null where nothing goes there
  void* returned = nullptr;      // on the device; null where nothing comes from there
  std::size_t bytes = 0;
  Direction direction = Direction::h2d;
  int node = any_node;

  [[nodiscard]] bool to_device() const { return direction != Direction::d2h; }
  [[nodiscard]] bool to_host() const { return direction != Direction::h2d; }
};

}  // namespace warpmark::ops
