// SPDX-License-Identifier: Apache-2.0
// How the gemv kernels of the cuda backend share out the rows of W (gemv_cuda.cu).
#pragma once

#include <cstddef>

#include "kernels/gemv/gemv.h"

namespace warpmark::cuda {

inline constexpr unsigned gemv_block_threads = 128;
inline constexpr unsigned gemv_vector_bytes = 16;
inline constexpr unsigned gemv_unroll = 4;        // vectors of a row that a thread has in flight
inline constexpr std::size_t gemv_warp_rows = 2;  // what a warp loads of x serves all of them
inline constexpr std::size_t gemv_block_rows = gemv_warp_rows * gemv_block_threads / 32;

// gemv_<w16|w8|w4>_f16 take an ops::Gemv; a block has gemv_block_rows rows.

}  // namespace warpmark::cuda
