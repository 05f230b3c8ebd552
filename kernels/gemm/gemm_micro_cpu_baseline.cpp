// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

Compiled<GemmMicro> gemm_micro_baseline() { return {.isa = Isa::baseline, .run = micro_of<4, 6>()}; }

}  // namespace warpmark::cpu
