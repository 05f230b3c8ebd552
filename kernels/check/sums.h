// SPDX-License-Identifier: Apache-2.0
// The contracts of the checks of read and dot: the same sums once more, written plainly.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// Writes 0 to *out when *got is what ops::Read leaves for these operands, else 1.
struct ReadCheck {
  const std::uint64_t* got = nullptr;
  const void* x = nullptr;
  std::size_t n = 0;
  std::size_t passes = 1;
  double* out = nullptr;
};

/// Writes |*got - (x[0] y[0] + ... + x[n-1] y[n-1])| to *out, the sum with more digits than any element has;
/// NaN when *got or any element is NaN.
struct DotCheck {
  const double* got = nullptr;
  const void* x = nullptr;
  const void* y = nullptr;
  std::size_t n = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
