// SPDX-License-Identifier: Apache-2.0
// What the checks of the cpu backend share: a maximum over threads that a NaN always wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/backends/cpu/thread_pool.h"

namespace warpmark::cpu {

[[nodiscard]] inline double larger_or_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// The largest value(i) for i < n, over all threads.
template <class Value>
double largest(ThreadPool& pool, std::size_t n, const Value& value) {
  std::vector<double> worst(pool.size(), 0);
  pool.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(n, 1, index, count);
    double mine = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) mine = larger_or_nan(value(i), mine);
    worst[index] = mine;
  });
  double all = 0;
  for (const double w : worst) all = larger_or_nan(w, all);
  return all;
}

}  // namespace warpmark::cpu
