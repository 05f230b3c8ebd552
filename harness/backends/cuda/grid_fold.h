// SPDX-License-Identifier: Apache-2.0
// Parameters of kernels that make one value of many blocks' (grid_fold.cuh).
#pragma once

namespace warpmark::cuda {

/// Threads of a block of every such kernel.
inline constexpr unsigned fold_threads = 256;

/// Where blocks leave their values until the last of them folds all.
struct FoldPlace {
  unsigned* ticket = nullptr;  // 0 between launches, to which it comes back by itself
  void* partials = nullptr;    // one value per block of gridDim.x, sixteen bytes at most
};

/// An operation and where its values are folded.
template <class Op>
struct Folded {
  Op op{};
  FoldPlace fold{};
};

}  // namespace warpmark::cuda
