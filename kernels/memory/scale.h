// SPDX-License-Identifier: Apache-2.0
// The contract of scale: a[i] = s * b[i] for i < n, the whole array `passes` times over. One element type, arrays
// apart.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct Scale {
  void* a = nullptr;
  const void* b = nullptr;
  double s = 0;
  std::size_t n = 0;
  std::size_t passes = 1;
};

}  // namespace warpmark::ops
