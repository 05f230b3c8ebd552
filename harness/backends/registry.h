// SPDX-License-Identifier: Apache-2.0
// Which backends this program has, in order of preference. A list, not self-registration: they are few, ordered, and
// may fail to start.
#pragma once

#include <span>

#include "harness/device/device.h"

namespace warpmark {

[[nodiscard]] std::span<const Backend> backends();

}  // namespace warpmark
