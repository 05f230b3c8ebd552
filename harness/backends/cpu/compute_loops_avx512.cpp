// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_loop.h"
#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {

constinit const ComputeLoops compute_loops_avx512{.f32_fma = fma_loop<float, 16, 24>,
                                                  .f64_fma = fma_loop<double, 8, 24>};

}  // namespace warpmark::cpu
