// SPDX-License-Identifier: Apache-2.0
// One value of many blocks', in a fixed order: the same operands give the same bits in every launch.
#pragma once

#include "harness/backends/cuda/grid_fold.h"

namespace warpmark::cuda {

inline constexpr unsigned whole_warp = 0xffffffff;

template <class Value>
__device__ Value from_lane(Value mine, int mask) {
  return __shfl_xor_sync(whole_warp, mine, mask);
}
__device__ inline double2 from_lane(double2 mine, int mask) {
  return make_double2(from_lane(mine.x, mask), from_lane(mine.y, mask));
}

/// In every thread of the warp. All 32 have to come.
template <class Value, class Fold>
__device__ Value fold_warp(Value mine, const Fold& fold) {
  for (int mask = 16; mask > 0; mask /= 2) mine = fold(mine, from_lane(mine, mask));
  return mine;
}

/// In every thread of the block. All have to come.
template <class Value, class Fold>
__device__ Value fold_block(Value mine, const Fold& fold) {
  __shared__ Value of_warp[fold_threads / 32];
  mine = fold_warp(mine, fold);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  Value all = of_warp[0];
  for (unsigned warp = 1; warp < fold_threads / 32; ++warp) all = fold(all, of_warp[warp]);
  __syncthreads();  // before the next call writes there
  return all;
}

/// Folds what the blocks of gridDim.x bring. True in the block that comes last, whose threads all have the result then.
/// `nothing` changes no value. Blocks of other passes over the same operands bring the same and do not `count`: nobody
/// waits for them, and they spare the one address that all counting blocks meet at.
template <class Value, class Fold>
__device__ bool fold_grid(Value mine, Value nothing, const FoldPlace& place, const Fold& fold, Value& result,
                          bool count = true) {
  auto* const partials = static_cast<Value*>(place.partials);
  __shared__ bool is_last;
  mine = fold_block(mine, fold);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = mine;
    __threadfence();  // whoever sees the ticket sees the value
    is_last = count && atomicInc(place.ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
  Value all = nothing;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += fold_threads) all = fold(all, __ldcg(partials + i));
  result = fold_block(all, fold);
  return true;
}

struct Add {
  template <class Value>
  __device__ Value operator()(Value a, Value b) const {
    return a + b;
  }
};

}  // namespace warpmark::cuda
