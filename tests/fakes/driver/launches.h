// SPDX-License-Identifier: Apache-2.0
// What launching a kernel by itself and entering it into a graph have in common.
#pragma once

#include "tests/fakes/machine/operation.h"
#include "tests/fakes/machine/simulation.h"

namespace warpmark::fakes {

/// Throws Refusal for what no kernel of the product has, and nothing here would do right.
void refuse_the_unknown(unsigned shared_bytes, void** extra);

/// Takes the parameters over. Throws Refusal for a kernel of nobody's, one that is not for the device, and extents that
/// no hardware has.
[[nodiscard]] Launch launch_of(Simulation& all, const SimulatedDevice& device, const void* function, const Extent& grid,
                               const Extent& block, void** parameters);

}  // namespace warpmark::fakes
