// SPDX-License-Identifier: Apache-2.0
// How many single-precision multiply-adds the machine does at this moment: what a compute sample is held against,
// because clocks and neighbours change under it.
#pragma once

#include <cstddef>

#include "harness/backends/cpu/isa.h"
#include "harness/backends/cpu/thread_pool.h"

namespace warpmark::cpu {

using FmaLoop = double (*)(std::size_t rounds);

[[nodiscard]] Compiled<FmaLoop> fma_loop_baseline();
[[nodiscard]] Compiled<FmaLoop> fma_loop_avx2();
[[nodiscard]] Compiled<FmaLoop> fma_loop_avx512();

class FmaProbe {
 public:
  explicit FmaProbe(ThreadPool& pool);
  [[nodiscard]] Isa isa() const { return loop_.isa; }
  /// FLOP/s over all threads of the pool: the median of five pieces of half a millisecond.
  [[nodiscard]] double flop_rate();

 private:
  double piece();

  ThreadPool& pool_;
  Compiled<FmaLoop> loop_;
  std::size_t rounds_ = 1024;
};

}  // namespace warpmark::cpu
