// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

constinit const GemmMicro gemm_micro_avx512 = micro_of<16, 12>();

}  // namespace warpmark::cpu
