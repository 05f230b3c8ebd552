// SPDX-License-Identifier: Apache-2.0
// The contract of pin: making memory of the host's that copies can go to and from without help.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// A launch gives back what the one before it made, makes memory of the kind that the variant is named for, and brings
/// `source` there, which proves that it can be used. Only the making is timed (Bound::sample). When it is to be checked
/// what lies there is brought into `returned` (Bound::plain_result), once, and the memory is given back.
struct Pin {
  const void* source = nullptr;  // on the device
  void* returned = nullptr;      // on the device
  std::size_t bytes = 0;
  int node = -1;  // as Transfer::node
};

}  // namespace warpmark::ops
