// SPDX-License-Identifier: Apache-2.0
// Loads are cached as ordinary ones are, in L1 too: the footprint decides which level answers.
#include "kernels/latency/chase_cuda.h"

using warpmark::cuda::ChaseParameters;

extern "C" __global__ void __launch_bounds__(1) latency_chase(const ChaseParameters p) {
  auto at = reinterpret_cast<unsigned long long>(p.first);
  for (std::size_t i = 0; i < p.op.steps; ++i)
    at = __ldca(reinterpret_cast<const unsigned long long*>(at));  // NOLINT(performance-no-int-to-ptr): it is one
  p.op.landing->address = at;
  p.op.landing->place = p.place;
}
