// SPDX-License-Identifier: Apache-2.0
// The contract of the check of chase: whether a walk ended where the order of the cycle has it, without walking.
#pragma once

#include "kernels/latency/chase.h"

namespace warpmark::ops {

/// Writes 0 to *out when the node at the place that op.landing names has the address that it names, else 1.
struct LandingCheck {
  Chase op{};
  double* out = nullptr;
};

}  // namespace warpmark::ops
