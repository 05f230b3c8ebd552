// SPDX-License-Identifier: Apache-2.0
// The contract of copy: a[i] = b[i] for i < n, the whole array `passes` times over. Arrays apart.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct Copy {
  void* a = nullptr;
  const void* b = nullptr;
  std::size_t n = 0;
  std::size_t passes = 1;
};

}  // namespace warpmark::ops
