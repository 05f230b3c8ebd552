// SPDX-License-Identifier: Apache-2.0
// How long a plan takes, before anything is measured: what its protocol allows, and what comes around the samples.
#pragma once

#include <string>
#include <vector>

#include "harness/device/device.h"
#include "harness/run/plan.h"

namespace warpmark {

struct PlanSeconds {
  double least = 0;  // every case is steady at once
  double most = 0;   // every case takes all the time that it has
};

/// One measurement of a case.
[[nodiscard]] PlanSeconds estimate(const PlannedCase& planned, const Protocol& suite, const DeviceInfo& device);

/// All repeats of all cases, with the start of their workers.
[[nodiscard]] PlanSeconds estimate(const std::vector<PlannedCase>& cases, int repeats, const Protocol& protocol,
                                   const DeviceInfo& device);

/// From the start of a worker to its first case.
[[nodiscard]] double start_seconds(const DeviceInfo& device);

/// "about 30 to 56 s", "about 2 to 5 min".
[[nodiscard]] std::string about(const PlanSeconds& seconds);

}  // namespace warpmark
