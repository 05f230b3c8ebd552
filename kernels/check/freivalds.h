// SPDX-License-Identifier: Apache-2.0
// The contract of Freivalds' check of a matrix product: compares C v with A (B v) for random v of +1 and -1, in n^2
// steps and not n^3.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// C[m x n] = A[m x k] B[k x n], row major, `batch` of them one after the other. Writes the largest |C v - A (B v)|
/// over the rows and over two vectors v to *out, in f64, NaN when any element is NaN. One wrong element always shows,
/// since no entry of v is 0; two in one row hide from both vectors with probability 1/4.
/// The type is that of A and B; C has the same, or int32 for int8 and bf16 for e4m3.
struct Freivalds {
  const void* c = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t batch = 1;
  /// Columns that one pair of vectors covers; 0: all. A wrong element hides in the rounding of the others of its row:
  /// fewer of them hide less, and cost a pass over A more.
  std::size_t columns = 0;
  std::uint64_t seed = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
