// SPDX-License-Identifier: Apache-2.0
// The contract of a check: how far `got` is from alpha * x + beta * y, element by element, where it lies.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// `x` may be null where alpha itself stands for alpha x, `y` where beta is 0.
/// Writes max |got - want| / (epsilon (|alpha x| + |beta y|)) to *out, NaN when any element is NaN. 0 is exact, 1 is
/// what two roundings may cost.
struct LinearCheck {
  const void* got = nullptr;
  const void* x = nullptr;
  double alpha = 0;
  const void* y = nullptr;
  double beta = 0;
  std::size_t n = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
