// SPDX-License-Identifier: Apache-2.0
// What the triads share, by footprint: STREAM's, and the one that runs until the device is warm.
#pragma once

#include "harness/core/benchmark.h"
#include "harness/measure/setup.h"

namespace warpmark {

[[nodiscard]] Work triad_work(const Case& at, const DeviceInfo& device);

[[nodiscard]] Job triad_job(Setup& setup);

}  // namespace warpmark
