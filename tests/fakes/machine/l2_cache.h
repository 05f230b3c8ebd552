// SPDX-License-Identifier: Apache-2.0
// Which memory a device's L2 holds: what was touched last, as much of it as fits.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "tests/fakes/machine/byte_range.h"

namespace warpmark::fakes {

class L2Cache {
 public:
  explicit L2Cache(std::uint64_t bytes) : capacity_(bytes) {}

  /// Touches the ranges, and says whether the cache held all of them before.
  bool touch(const std::vector<ByteRange>& ranges);

 private:
  [[nodiscard]] bool holds(const ByteRange& range) const;
  void forget(const ByteRange& range);
  void trim();

  std::uint64_t capacity_;
  std::deque<ByteRange> held_{};  // apart from each other, the last touched first
};

}  // namespace warpmark::fakes
