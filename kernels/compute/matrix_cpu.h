// SPDX-License-Identifier: Apache-2.0
// The loops of matrix sums on the cpu by instruction set: one thread's part of the results.
#pragma once

#include <cstddef>

namespace warpmark::cpu {

/// The results from an even place on, `n` of them; c is where the first of them goes.
using MatrixLoop = void (*)(float* c, std::size_t n, std::size_t rounds);

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const MatrixLoop matrix_dots_bf16;   // of AVX512_BF16
extern const MatrixLoop matrix_dots_i8;     // of AVX512_VNNI
extern const MatrixLoop matrix_tiles_bf16;  // of AMX_BF16
extern const MatrixLoop matrix_tiles_i8;    // of AMX_INT8

}  // namespace warpmark::cpu
