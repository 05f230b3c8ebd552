// SPDX-License-Identifier: Apache-2.0
// The contract of a check of y = W x: the same product once more, written plainly, in f64.
#pragma once

#include <cstddef>

#include "kernels/gemv/gemv.h"

namespace warpmark::ops {

/// Writes to *out the largest distance of an element of y from its right value, in what rounding may do: 1 is one
/// rounding of the element to its type, and one of f32 for a column in a sum one after the other (2^-23 sqrt(columns)
/// of the root of its products' squares, seven times what roundings that go either way come to). NaN when any element
/// is NaN. One wrong element always shows.
struct GemvCheck {
  Gemv op{};
  Weights weights = Weights::w16;
  std::size_t n = 0;  // rows
  double* out = nullptr;
};

}  // namespace warpmark::ops
