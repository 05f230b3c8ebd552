// SPDX-License-Identifier: Apache-2.0
// A piece of memory by its address.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::fakes {

struct ByteRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
};

/// The driver's addresses are the program's own here.
[[nodiscard]] inline void* pointer_at(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

[[nodiscard]] inline ByteRange range_of(const void* data, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  return {.begin = begin, .end = begin + bytes};
}

}  // namespace warpmark::fakes
