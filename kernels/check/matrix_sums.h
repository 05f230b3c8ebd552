// SPDX-License-Identifier: Apache-2.0
// The contract of the check of matrix sums.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// Writes the largest |c[i] - rounds| of even i and |c[i] + rounds| of odd i to *out, NaN when any element is NaN.
struct MatrixSumsCheck {
  const float* c = nullptr;
  std::size_t n = 0;
  std::size_t rounds = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
