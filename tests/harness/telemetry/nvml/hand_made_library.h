// SPDX-License-Identifier: Apache-2.0
// NVML as a table of functions made by hand: two H100, the second divided into two instances, whose numbers have gaps.
#pragma once

#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

/// Calls that are still answered; those after it find that the GPU is lost. Set by who wants to see that.
inline constexpr int without_end = 1 << 30;
inline int calls_before_loss = without_end;

/// All functions that the card asks, as a library that is well has them.
[[nodiscard]] Functions hand_made_functions();

[[nodiscard]] inline Opened hand_made_library() {
  return {.functions = hand_made_functions(), .path = "/usr/lib/libnvidia-ml.so.1", .present = true};
}

}  // namespace warpmark::nvml
