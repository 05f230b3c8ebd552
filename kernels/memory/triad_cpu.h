// SPDX-License-Identifier: Apache-2.0
// The triad loops of the cpu backend by instruction set: one thread's part of the arrays, f64.
#pragma once

#include <cstddef>
#include <span>

#include "harness/backends/cpu/isa.h"

namespace warpmark::cpu {

using TriadLoop = void (*)(double* a, const double* b, const double* c, double s, std::size_t n, std::size_t passes);

struct TriadLoops {
  Compiled<TriadLoop> plain{};        // ordinary stores
  Compiled<TriadLoop> nontemporal{};  // stores past the caches; null where the architecture has none
};

[[nodiscard]] TriadLoops triad_loops_baseline();
[[nodiscard]] TriadLoops triad_loops_avx2();
[[nodiscard]] TriadLoops triad_loops_avx512();

/// Every loop that was compiled, the baseline first.
[[nodiscard]] std::span<const Compiled<TriadLoop>> plain_triad_loops();
[[nodiscard]] std::span<const Compiled<TriadLoop>> nontemporal_triad_loops();

}  // namespace warpmark::cpu
