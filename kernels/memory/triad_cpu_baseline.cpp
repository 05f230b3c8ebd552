// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/triad_loop_cpu.h"

namespace warpmark::cpu {

TriadLoops triad_loops_baseline() {
  TriadLoops loops{.plain = {.isa = Isa::baseline, .run = triad_loop<16, OrdinaryStore>}};
#if defined(__x86_64__)
  loops.nontemporal = {.isa = Isa::baseline, .run = triad_loop<16, NonTemporalStore>};
#endif
  return loops;
}

}  // namespace warpmark::cpu
