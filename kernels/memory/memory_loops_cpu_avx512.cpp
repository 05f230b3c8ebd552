// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/memory_loop_cpu.h"

namespace warpmark::cpu {

constinit const MemoryLoops memory_loops_avx512 = memory_loops_of<64>();

}  // namespace warpmark::cpu
