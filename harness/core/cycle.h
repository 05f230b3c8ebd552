// SPDX-License-Identifier: Apache-2.0
// A cycle of nodes in memory, each holding the address of the next in a random order (Stream::fill_cycle), and a walk
// along it whose every stop is known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/core/shuffle.h"

namespace warpmark {

/// Node k lies k x stride_bytes behind `first`; that at place i of the cycle is node Shuffle(seed, nodes)(i).
struct Cycle {
  const void* first = nullptr;
  std::size_t nodes = 0;
  std::size_t stride_bytes = 0;
  std::uint64_t seed = 0;
};

/// What a kernel asks before it walks: where each launch begins, and where it has to end.
class CycleWalk {
 public:
  explicit CycleWalk(const Cycle& cycle) : cycle_(cycle), order_(cycle.seed, cycle.nodes) {}

  /// Of the node where it stands.
  [[nodiscard]] const void* address() const {
    return static_cast<const std::byte*>(cycle_.first) + order_(place_) * cycle_.stride_bytes;
  }
  /// Goes on by so many steps; returns the place where they end.
  std::uint64_t advance(std::size_t steps) { return place_ = (place_ + steps) % cycle_.nodes; }

 private:
  Cycle cycle_;
  Shuffle order_;
  std::uint64_t place_ = 0;
};

}  // namespace warpmark
