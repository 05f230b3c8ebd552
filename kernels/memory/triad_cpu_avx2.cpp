// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/triad_loop_cpu.h"

namespace warpmark::cpu {

TriadLoops triad_loops_avx2() {
  return {.plain = {.isa = Isa::avx2, .run = triad_loop<32, OrdinaryStore>},
          .nontemporal = {.isa = Isa::avx2, .run = triad_loop<32, NonTemporalStore>}};
}

}  // namespace warpmark::cpu
