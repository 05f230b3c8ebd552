// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/fma_loop.h"
#include "harness/backends/cpu/fma_probe.h"

namespace warpmark::cpu {

Compiled<FmaLoop> fma_loop_avx2() { return {.isa = Isa::avx2, .run = fma_loop<8, 12>}; }

}  // namespace warpmark::cpu
