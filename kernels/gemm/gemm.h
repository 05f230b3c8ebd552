// SPDX-License-Identifier: Apache-2.0
// The contract of gemm: C[m x n] = A[m x k] B[k x n], row major, dense, one element type, accumulated at least as wide
// as it.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct Gemm {
  void* c = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
};

}  // namespace warpmark::ops
