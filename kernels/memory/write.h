// SPDX-License-Identifier: Apache-2.0
// The contract of write: a[i] = s for i < n, the whole array `passes` times over.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct Write {
  void* a = nullptr;
  double s = 0;
  std::size_t n = 0;
  std::size_t passes = 1;
};

}  // namespace warpmark::ops
