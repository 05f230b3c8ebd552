// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv/gemv_loop_cpu.h"

namespace warpmark::cpu {

constinit const GemvLoops gemv_loops_baseline = gemv_loops_of<4>();

}  // namespace warpmark::cpu
