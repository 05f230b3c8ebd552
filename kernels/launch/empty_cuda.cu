// SPDX-License-Identifier: Apache-2.0
// Kernels that do nothing, by how many bytes they are given. Each can tell that it ran: see empty_cuda.h.
#include "kernels/launch/empty_cuda.h"

namespace warpmark::cuda {

__device__ LaunchSums launch_sums;

}  // namespace warpmark::cuda

using warpmark::cuda::EmptyArguments;
using warpmark::cuda::launch_sums;
using warpmark::cuda::TellParameters;

namespace {

/// The first block adds up the arguments, each says that it was there.
__device__ __forceinline__ void tell(const unsigned char* arguments, std::size_t bytes) {
  atomicAdd(&launch_sums.blocks, 1ULL);
  if (blockIdx.x != 0) return;
  unsigned long long sum = 0;
  for (std::size_t i = 0; i < bytes; ++i) sum += (i + 1) * arguments[i];
  atomicAdd(&launch_sums.sum, sum);
}

}  // namespace

extern "C" __global__ void launch_empty_0() {
  if (blockDim.x == warpmark::cuda::telling_threads) tell(nullptr, 0);
}

#define WARPMARK_EMPTY(bytes)                                                      \
  extern "C" __global__ void launch_empty_##bytes(const EmptyArguments<bytes> p) { \
    if (blockDim.x == warpmark::cuda::telling_threads) tell(p.byte, bytes);        \
  }
WARPMARK_EMPTY(64)
WARPMARK_EMPTY(1024)
WARPMARK_EMPTY(4096)

extern "C" __global__ void launch_tell(const TellParameters p) {
  p.to->sum = launch_sums.sum;
  p.to->blocks = launch_sums.blocks;
  launch_sums.sum = 0;
  launch_sums.blocks = 0;
}
