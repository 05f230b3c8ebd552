// SPDX-License-Identifier: Apache-2.0
// The contract of overlap: the next batch goes to the device while the one before it is worked on, as a data loader
// would have it.
#pragma once

#include "kernels/compute/fma.h"
#include "kernels/transfer/transfer.h"

namespace warpmark::ops {

/// A launch begins both at once and is done when both are. The copy goes to the device; the computing is of f32.
struct Overlap {
  Transfer copy{};
  Fma compute{};
};

}  // namespace warpmark::ops
