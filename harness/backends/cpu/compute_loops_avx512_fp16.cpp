// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_loop.h"
#include "harness/backends/cpu/compute_probe.h"

namespace warpmark::cpu {

constinit const ComputeLoops compute_loops_avx512_fp16{.f16_fma = fma_loop<_Float16, 32, 24>};

}  // namespace warpmark::cpu
