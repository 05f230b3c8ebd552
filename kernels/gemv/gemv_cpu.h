// SPDX-License-Identifier: Apache-2.0
// The gemv loops of the cpu by instruction set: the rows of W that one thread has.
#pragma once

#include <array>
#include <cstddef>

#include "harness/backends/cpu/isa.h"
#include "kernels/gemv/gemv.h"

namespace warpmark::cpu {

/// y[row] for begin <= row < end.
using GemvLoop = void (*)(const ops::Gemv& op, std::size_t begin, std::size_t end);

struct GemvLoops {
  GemvLoop w16 = nullptr;
  GemvLoop w8 = nullptr;
  GemvLoop w4 = nullptr;
};

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const GemvLoops gemv_loops_baseline;
extern const GemvLoops gemv_loops_avx2;
extern const GemvLoops gemv_loops_avx512;

/// Every set of loops that was compiled, the baseline first.
#if defined(__x86_64__)
inline constexpr std::array gemv_loops{Compiled<const GemvLoops*>{Isa::baseline, &gemv_loops_baseline},
                                       Compiled<const GemvLoops*>{Isa::avx2, &gemv_loops_avx2},
                                       Compiled<const GemvLoops*>{Isa::avx512, &gemv_loops_avx512}};
#else
inline constexpr std::array gemv_loops{Compiled<const GemvLoops*>{Isa::baseline, &gemv_loops_baseline}};
#endif

}  // namespace warpmark::cpu
