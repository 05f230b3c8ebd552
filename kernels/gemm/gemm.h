// SPDX-License-Identifier: Apache-2.0
// The contract of gemm: C[m x n] = A[m x k] B[k x n], row major, dense, `batch` of them one after the other.
#pragma once

#include <cstddef>

namespace warpmark::ops {

/// One type for A, B and C, accumulated at least as wide as it; C of int8 is int32. A kernel may bring B into a layout
/// of its own while it is bound, as one does with weights, and says so in `about`; A and C stay row major.
struct Gemm {
  void* c = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t batch = 1;
};

}  // namespace warpmark::ops
