// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/triad_loop_cpu.h"

namespace warpmark::cpu {

TriadLoops triad_loops_avx512() {
  return {.plain = {.isa = Isa::avx512, .run = triad_loop<64, OrdinaryStore>},
          .nontemporal = {.isa = Isa::avx512, .run = triad_loop<64, NonTemporalStore>}};
}

}  // namespace warpmark::cpu
