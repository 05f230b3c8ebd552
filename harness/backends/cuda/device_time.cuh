// SPDX-License-Identifier: Apache-2.0
// The device's own time. The one place with the instruction for it, so that a simulated device can put its own in.
#pragma once

#include <cstdint>

namespace warpmark::cuda {

#ifdef __CUDACC__
__device__ __forceinline__ std::uint64_t nanoseconds_now() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
#else
std::uint64_t nanoseconds_now();  // the simulated device has it
#endif

}  // namespace warpmark::cuda
