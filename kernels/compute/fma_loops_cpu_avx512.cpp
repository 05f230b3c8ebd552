// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/fma_cpu.h"
#include "kernels/compute/fma_loop_cpu.h"

namespace warpmark::cpu {

constinit const FmaLoops fma_loops_avx512{.f64 = fma_loop<double, 8, 12>, .f32 = fma_loop<float, 16, 12>};

}  // namespace warpmark::cpu
