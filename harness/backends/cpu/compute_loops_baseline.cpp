// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_loop.h"
#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {

constinit const ComputeLoops compute_loops_baseline{.f32_fma = fma_loop<float, 4, 12>,
                                                    .f64_fma = fma_loop<double, 2, 12>};

}  // namespace warpmark::cpu
