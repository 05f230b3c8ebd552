// SPDX-License-Identifier: Apache-2.0
// The contract of dot: the sum of x[i] * y[i] for i < n, found anew `passes` times.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// Elements whose products may be summed in the element type before the sum has to go into one of f64: longer sums of
/// f32 lose what they add.
inline constexpr std::size_t dot_run = 16384;

/// *sum = x[0] y[0] + ... + x[n-1] y[n-1], f64, of the last pass: added up over passes it would lose digits.
struct Dot {
  const void* x = nullptr;
  const void* y = nullptr;
  std::size_t n = 0;
  std::size_t passes = 1;
  double* sum = nullptr;
};

}  // namespace warpmark::ops
