// SPDX-License-Identifier: Apache-2.0
// What the chase of the cuda backend takes (chase_cuda.cu).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/latency/chase.h"

namespace warpmark::cuda {

/// latency_chase: one thread walks `steps` nodes on from `first` and says where it is then, and the place that is.
struct ChaseParameters {
  ops::Chase op{};
  const void* first = nullptr;
  std::uint64_t place = 0;
};

}  // namespace warpmark::cuda
