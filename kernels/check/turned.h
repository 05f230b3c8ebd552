// SPDX-License-Identifier: Apache-2.0
// The contract of the check of fma: the same turns once more, one number after the other.
#pragma once

#include "kernels/compute/fma.h"

namespace warpmark::ops {

/// Writes the largest distance of a number from what it has to be to *out, in epsilons of its type at 1 (of integers:
/// as it is); NaN when any number is NaN.
struct TurnedCheck {
  const void* u = nullptr;
  const void* v = nullptr;
  std::size_t n = 0;
  std::size_t rounds = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
