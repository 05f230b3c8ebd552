// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/l2_cache.h"

#include <algorithm>

namespace warpmark::fakes {

bool L2Cache::touch(const std::vector<ByteRange>& ranges) {
  const bool held = std::all_of(ranges.begin(), ranges.end(), [&](const ByteRange& r) { return holds(r); });
  for (const ByteRange& range : ranges) {
    forget(range);
    held_.push_front(range);
    trim();
  }
  return held;
}

bool L2Cache::holds(const ByteRange& range) const {
  std::uint64_t found = 0;
  for (const ByteRange& held : held_) {
    const std::uintptr_t begin = std::max(held.begin, range.begin);
    const std::uintptr_t end = std::min(held.end, range.end);
    if (begin < end) found += end - begin;
  }
  return found == range.bytes();
}

void L2Cache::forget(const ByteRange& range) {
  std::deque<ByteRange> rest;
  for (const ByteRange& held : held_) {
    const ByteRange before{.begin = held.begin, .end = std::min(held.end, range.begin)};
    const ByteRange after{.begin = std::max(held.begin, range.end), .end = held.end};
    if (before.begin < before.end) rest.push_back(before);
    if (after.begin < after.end) rest.push_back(after);
  }
  held_ = std::move(rest);
}

/// Of a range that does not fit its end stays, as after a pass over it.
void L2Cache::trim() {
  std::uint64_t room = capacity_;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].bytes() <= room) {
      room -= held_[i].bytes();
      continue;
    }
    held_[i].begin = held_[i].end - room;
    held_.resize(room > 0 ? i + 1 : i);
    return;
  }
}

}  // namespace warpmark::fakes
