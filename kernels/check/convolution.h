// SPDX-License-Identifier: Apache-2.0
// The contract of a check of a convolution, in the manner of Freivalds: the result times a random vector of +1 and -1
// along one of its channels against the operands projected the same way, which costs one channel and not all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/convolution/convolution.h"

namespace warpmark::ops {

/// Every pass is a product of matrices, of which one is not stored as such: result[row][column] is the sum over depth
/// of a[row][depth] b[depth][column].
///
/// pass              row       column  depth
/// forward           n, p, q   k       r, s, c
/// data_gradient     n, h, w   c       r, s, k
/// filter_gradient   r, s, c   k       n, p, q
struct ConvolutionProduct {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
};

[[nodiscard]] constexpr ConvolutionProduct product_of(ConvolutionPass pass, const ConvolutionShape& s) {
  switch (pass) {
    case ConvolutionPass::forward: return {s.n * s.p() * s.q(), s.k, s.r * s.s * s.c};
    case ConvolutionPass::data_gradient: return {s.n * s.h * s.w, s.c, s.r * s.s * s.k};
    case ConvolutionPass::filter_gradient: return {s.r * s.s * s.c, s.k, s.n * s.p() * s.q()};
  }
  return {};
}

/// Writes the largest |result v - a (b v)| over the rows and over two vectors v to *out, in f64, NaN when any element
/// is NaN. One wrong element always shows, since no entry of v is 0; two in one row hide from both vectors with
/// probability 1/4.
struct ConvolutionCheck {
  Convolution op{};
  /// Columns that one pair of vectors covers; 0: all. A wrong element hides in the rounding of the others of its row:
  /// fewer of them hide less, and cost a pass over the operands more.
  std::size_t columns = 0;
  std::uint64_t seed = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
