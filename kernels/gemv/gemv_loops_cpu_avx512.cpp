// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv/gemv_loop_cpu.h"

namespace warpmark::cpu {

constinit const GemvLoops gemv_loops_avx512 = gemv_loops_of<16>();

}  // namespace warpmark::cpu
