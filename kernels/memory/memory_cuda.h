// SPDX-License-Identifier: Apache-2.0
// How the memory kernels of the cuda backend cut their arrays, and what they take (memory_cuda.cu).
#pragma once

#include <cstddef>

#include "harness/backends/cuda/grid_fold.h"
#include "kernels/memory/dot.h"
#include "kernels/memory/map.h"
#include "kernels/memory/read.h"

namespace warpmark::cuda {

inline constexpr unsigned memory_block_threads = fold_threads;
inline constexpr unsigned memory_vector_bytes = 16;
inline constexpr unsigned memory_unroll = 4;  // vectors of an array that a thread has in flight

/// Of each array, what a block takes at a time.
template <class T>
inline constexpr std::size_t memory_tile = std::size_t{memory_block_threads} * memory_unroll* memory_vector_bytes /
                                           sizeof(T);

/// memory_<write|copy|scale|triad>_<f64|f32>_<plain|cs>: a[i] of s, b[i] and c[i], as far as the operation has them. A
/// block is one tile in blockIdx.x and one pass in blockIdx.y and z.
using ops::MapOperands;

/// memory_read_<f64|f32>_plain and memory_dot_<f64|f32>_plain: passes as above, and in each of them every gridDim.x-th
/// tile is one block's.
using ReadParameters = Folded<ops::Read>;
using DotParameters = Folded<ops::Dot>;

}  // namespace warpmark::cuda
