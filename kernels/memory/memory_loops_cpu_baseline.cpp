// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/memory_loop_cpu.h"

namespace warpmark::cpu {

constinit const MemoryLoops memory_loops_baseline = memory_loops_of<16>();

}  // namespace warpmark::cpu
