// SPDX-License-Identifier: Apache-2.0
// The contract of chase: one thread goes from node to node of a cycle, each load telling where the next one is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// Where a walk ended: its address, and how far along the cycle that has to be.
struct Landing {
  std::uint64_t address = 0;
  std::uint64_t place = 0;
};

/// The nodes lie `stride_bytes` apart from `ring` on and form one cycle in the order of Shuffle(seed, nodes)
/// (harness/core/shuffle.h): the first eight bytes of the node at place i hold the address of the one at place i + 1.
/// The first launch begins at place 0, each other one where the launch before it ended, so that no part of a large ring
/// is walked again and again while the rest is not.
struct Chase {
  const void* ring = nullptr;
  std::size_t nodes = 0;
  std::size_t stride_bytes = 0;
  std::uint64_t seed = 0;
  std::size_t steps = 0;  // of a launch
  Landing* landing = nullptr;
};

}  // namespace warpmark::ops
