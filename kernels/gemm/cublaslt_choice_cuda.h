// SPDX-License-Identifier: Apache-2.0
// Which of several algorithms is the fastest here: by time, and again, so that luck does not win.
#pragma once

#include <functional>
#include <vector>

#include "harness/backends/cuda/cublaslt.h"
#include "harness/backends/cuda/cuda_stream.h"

namespace warpmark::cuda {

/// Queues the product by the algorithm of that index.
using LaunchAlgorithm = std::function<cublasStatus_t(std::size_t index)>;

/// The index of the fastest of `count`. Each is timed over a few launches, then the best three in turns, and the median
/// of these decides. One that refuses to run is out. Throws Unsupported, with what the last one said, when all are.
[[nodiscard]] std::size_t fastest_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch);

/// The index of the first that runs. Throws as above.
[[nodiscard]] std::size_t first_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch);

}  // namespace warpmark::cuda
