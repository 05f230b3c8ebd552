// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/memory_loop_cpu.h"

namespace warpmark::cpu {

constinit const MemoryLoops memory_loops_avx2 = memory_loops_of<32>();

}  // namespace warpmark::cpu
