// SPDX-License-Identifier: Apache-2.0
// The contract of the check of launch: whether as many blocks ran as had to, and found the arguments that were passed.
#pragma once

#include "kernels/launch/empty.h"

namespace warpmark::ops {

/// Writes to *out how many of both numbers are wrong. `empty.argument_bytes` and `empty.blocks` are of one launch;
/// those of launch i begin at i * argument_bytes.
struct LaunchedCheck {
  Empty empty{};
  std::size_t launches = 1;
  double* out = nullptr;
};

/// Of all the launches' arguments.
constexpr std::uint64_t weighted_sum(const unsigned char* bytes, std::size_t of_one, std::size_t launches) {
  std::uint64_t sum = 0;
  for (std::size_t launch = 0; launch < launches; ++launch)
    for (std::size_t i = 0; i < of_one; ++i) sum += (i + 1) * bytes[launch * of_one + i];
  return sum;
}

}  // namespace warpmark::ops
