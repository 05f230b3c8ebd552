// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/fma_loop.h"
#include "harness/backends/cpu/fma_probe.h"

namespace warpmark::cpu {

Compiled<FmaLoop> fma_loop_baseline() { return {.isa = Isa::baseline, .run = fma_loop<4, 12>}; }

}  // namespace warpmark::cpu
