// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

Compiled<GemmMicro> gemm_micro_avx512() { return {.isa = Isa::avx512, .run = micro_of<16, 12>()}; }

}  // namespace warpmark::cpu
