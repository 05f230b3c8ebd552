// SPDX-License-Identifier: Apache-2.0
// Which of several algorithms that a library offers is the fastest here: by time, and again, so that luck does not win.
#pragma once

#include <functional>
#include <string>

#include "harness/backends/cuda/cuda_stream.h"

namespace warpmark::cuda {

/// Queues the work by the algorithm of that index. Empty, or why the library does not run it that way; throws for what
/// is no refusal.
using LaunchAlgorithm = std::function<std::string(std::size_t index)>;

/// The index of the fastest of `count`. Each is timed over a few launches, then the best three in turns, and the median
/// of these decides. One that refuses to run is out. Throws Unsupported, with what the last one said, when all are.
[[nodiscard]] std::size_t fastest_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch);

/// The index of the first that runs. Throws as above.
[[nodiscard]] std::size_t first_algorithm(CudaStream& stream, std::size_t count, const LaunchAlgorithm& launch);

}  // namespace warpmark::cuda
