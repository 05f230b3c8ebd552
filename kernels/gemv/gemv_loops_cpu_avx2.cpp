// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv/gemv_loop_cpu.h"

namespace warpmark::cpu {

constinit const GemvLoops gemv_loops_avx2 = gemv_loops_of<8>();

}  // namespace warpmark::cpu
