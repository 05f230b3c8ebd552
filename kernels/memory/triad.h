// SPDX-License-Identifier: Apache-2.0
// The contract of triad: a[i] = b[i] + s * c[i] for i < n, the whole array `passes` times over. One element type,
// arrays apart.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct Triad {
  void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  double s = 0;
  std::size_t n = 0;
  std::size_t passes = 1;  // more than one where a pass over a cache-sized array is shorter than a launch
};

}  // namespace warpmark::ops
