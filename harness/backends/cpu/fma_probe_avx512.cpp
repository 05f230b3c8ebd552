// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/fma_loop.h"
#include "harness/backends/cpu/fma_probe.h"

namespace warpmark::cpu {

Compiled<FmaLoop> fma_loop_avx512() { return {.isa = Isa::avx512, .run = fma_loop<16, 24>}; }

}  // namespace warpmark::cpu
