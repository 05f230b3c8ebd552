// SPDX-License-Identifier: Apache-2.0
// What the check of copies of the cuda backend takes (same_bytes_cuda.cu).
#pragma once

#include "harness/backends/cuda/grid_fold.h"
#include "kernels/check/same_bytes.h"

namespace warpmark::cuda {

/// check_same_bytes_u8: blocks stride over the bytes.
using SameBytesParameters = Folded<ops::SameBytesCheck>;

}  // namespace warpmark::cuda
