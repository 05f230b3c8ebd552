// SPDX-License-Identifier: Apache-2.0
// The axis of cases that run until a device is warm: for how long.
#pragma once

#include "harness/core/case.h"

namespace warpmark {

/// `seconds`: 15, or another number from 1 on.
[[nodiscard]] Axis seconds_axis();

/// Its value, a day at most.
[[nodiscard]] double seconds_of(const Case& at);

}  // namespace warpmark
