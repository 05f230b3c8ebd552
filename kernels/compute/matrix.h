// SPDX-License-Identifier: Apache-2.0
// The contract of matrix: products of small matrices summed up in registers, as the machine's instruction for them
// does, in rounds that take back all that they add but one.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// In a round every result gains the sums of matrix_round_products products: A B and -A B in turns, as many as the
/// instruction's depth needs, and at the end (D - A) B, where D B is 1 in even and -1 in odd columns. So c[i] = rounds
/// for even i and -rounds for odd i: results lie in pairs of neighbours in a row. A round that is lost, or a product
/// that is not taken back, changes them for good. Elements of A and B are small whole numbers, which every type has and
/// whose sums are exact.
struct MatrixSums {
  float* c = nullptr;
  std::size_t n = 0;  // results, an even number
  std::size_t rounds = 0;
};

inline constexpr std::size_t matrix_round_products = 128;
/// Up to here half precision, which has every whole number to 2048, holds the results and what is added on the way.
inline constexpr std::size_t matrix_most_rounds = 2048 - 32;

/// Of A, from -3 to 3; and of B, from -2 to 2.
[[nodiscard]] constexpr int matrix_a(std::size_t i) { return static_cast<int>(i % 7) - 3; }
[[nodiscard]] constexpr int matrix_b(std::size_t i) { return static_cast<int>(i % 5) - 2; }

}  // namespace warpmark::ops
