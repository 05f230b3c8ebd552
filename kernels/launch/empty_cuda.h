// SPDX-License-Identifier: Apache-2.0
// What the empty kernels of the cuda backend take (empty_cuda.cu).
#pragma once

#include <cstddef>

#include "kernels/launch/empty.h"

namespace warpmark::cuda {

/// Threads of a block of a timed launch. A launch with one thread writes what it was given instead of doing nothing: it
/// adds to a variable of the module, so that a timed launch has nothing to store, not even an address.
inline constexpr unsigned empty_threads = 32;
inline constexpr unsigned telling_threads = 1;

template <std::size_t bytes>
struct EmptyArguments {
  unsigned char byte[bytes];  // NOLINT(modernize-avoid-c-arrays): device code has no other
};

/// launch_tell: writes what the launches since the last one have added up, and begins anew.
struct TellParameters {
  ops::Launched* to = nullptr;
};

/// The variable of the module.
struct LaunchSums {
  unsigned long long sum = 0;
  unsigned long long blocks = 0;
};

}  // namespace warpmark::cuda
