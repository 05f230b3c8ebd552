// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_micro_cpu.h"

namespace warpmark::cpu {

constinit const GemmMicro gemm_micro_baseline = micro_of<4, 6>();

}  // namespace warpmark::cpu
