// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

Compiled<GemmMicro> gemm_micro_avx2() { return {.isa = Isa::avx2, .run = micro_of<8, 6>()}; }

}  // namespace warpmark::cpu
