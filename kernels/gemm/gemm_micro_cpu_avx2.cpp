// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

constinit const GemmMicro gemm_micro_avx2 = micro_of<8, 6>();

}  // namespace warpmark::cpu
