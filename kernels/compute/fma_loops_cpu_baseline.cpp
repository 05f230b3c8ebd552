// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/fma_cpu.h"
#include "kernels/compute/fma_loop_cpu.h"

namespace warpmark::cpu {

constinit const FmaLoops fma_loops_baseline{.f64 = fma_loop<double, 2, 6>, .f32 = fma_loop<float, 4, 6>};

}  // namespace warpmark::cpu
