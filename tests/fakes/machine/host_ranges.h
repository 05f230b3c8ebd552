// SPDX-License-Identifier: Apache-2.0
// Which memory of the host's the driver has pinned, and how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "tests/fakes/machine/copy_truth.h"

namespace warpmark::fakes {

class HostRanges {
 public:
  void enter(const void* data, std::size_t bytes, HostKind kind) { ranges_[begin_of(data)] = {bytes, kind}; }
  /// False where none of that kind begins there.
  [[nodiscard]] bool leave(const void* data, HostKind kind) {
    const auto found = ranges_.find(begin_of(data));
    if (found == ranges_.end() || found->second.kind != kind) return false;
    ranges_.erase(found);
    return true;
  }
  void forget(const void* data) { ranges_.erase(begin_of(data)); }
  /// What all these bytes are: pageable unless one range holds them.
  [[nodiscard]] HostKind kind_of(const void* data, std::size_t bytes) const {
    auto after = ranges_.upper_bound(begin_of(data));
    if (after == ranges_.begin()) return HostKind::pageable;
    const auto& [begin, range] = *--after;
    return begin_of(data) + bytes <= begin + range.bytes ? range.kind : HostKind::pageable;
  }
  [[nodiscard]] std::size_t count(HostKind kind) const {
    std::size_t count = 0;
    for (const auto& [begin, range] : ranges_) count += range.kind == kind ? 1 : 0;
    return count;
  }

 private:
  struct Range {
    std::size_t bytes = 0;
    HostKind kind = HostKind::pageable;
  };
  static std::uintptr_t begin_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

  std::map<std::uintptr_t, Range> ranges_{};
};

}  // namespace warpmark::fakes
