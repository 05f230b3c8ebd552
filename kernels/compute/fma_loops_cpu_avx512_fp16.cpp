// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/fma_cpu.h"
#include "kernels/compute/fma_loop_cpu.h"

namespace warpmark::cpu {
namespace {

void turn(F16* u, F16* v, std::size_t first, std::size_t n, std::size_t rounds) {
  fma_loop<_Float16, 32, 12>(reinterpret_cast<_Float16*>(u), reinterpret_cast<_Float16*>(v), first, n, rounds);
}

}  // namespace

constinit const FmaLoops fma_loops_avx512_fp16{.f16 = turn};

}  // namespace warpmark::cpu
