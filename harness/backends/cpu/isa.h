// SPDX-License-Identifier: Apache-2.0
// Instruction sets that kernels have files of their own for, and the choice among them at run time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpmark::cpu {

enum class Isa : std::uint8_t {
  baseline,  // x86-64-v2, or whatever another architecture always has
  avx2,      // with FMA and F16C
  avx512,    // F, DQ, BW, VL
  avx512_bf16,
  avx512_fp16,
  avx512_vnni,
  avx_vnni,
  amx_bf16,
  amx_int8,
};

[[nodiscard]] std::string_view name_of(Isa isa);

/// Whether processor and operating system both have it.
[[nodiscard]] bool supported(Isa isa);

/// A loop compiled for one instruction set.
template <class Function>
struct Compiled {
  Isa isa = Isa::baseline;
  Function run{};
};

/// The widest of the loops that runs here. The first has to be the baseline.
template <class Function>
const Compiled<Function>& widest(std::span<const Compiled<Function>> loops) {
  const Compiled<Function>* best = &loops.front();
  for (const Compiled<Function>& loop : loops)
    if (supported(loop.isa) && loop.isa > best->isa) best = &loop;
  return *best;
}

}  // namespace warpmark::cpu
