// SPDX-License-Identifier: Apache-2.0
// The backend of NVIDIA GPUs, without a header of CUDA's: a build without the toolkit has it too, and it says why it
// cannot be used.
#pragma once

#include "harness/device/device.h"

namespace warpmark {

/// Usable where the driver starts and finds a GPU; devices cuda:0 onwards, in the driver's order.
[[nodiscard]] Backend cuda_backend();

}  // namespace warpmark
