// SPDX-License-Identifier: Apache-2.0
// The cuda backend of a build that had no CUDA toolkit: it says so.
#include "harness/backends/cuda/cuda_backend.h"

namespace warpmark {

Backend cuda_backend() {
  return {.name = "cuda",
          .unavailable =
              [] {
                return Unavailable{.why =
                                       "this warpmark was built without the CUDA toolkit: install it (nvcc, cuda.h) "
                                       "and build again, and `warpmark --version` will name it"};
              },
          .count = [] { return std::size_t{0}; },
          .open = [](std::size_t) { return std::unique_ptr<Device>(); }};
}

}  // namespace warpmark
