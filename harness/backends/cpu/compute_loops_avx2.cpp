// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_loop.h"
#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {

constinit const ComputeLoops compute_loops_avx2{.f32_fma = fma_loop<float, 8, 12>, .f64_fma = fma_loop<double, 4, 12>};

}  // namespace warpmark::cpu
