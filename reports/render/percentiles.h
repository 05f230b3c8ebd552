// SPDX-License-Identifier: Apache-2.0
// How much longer the slow ones take: median and percentiles of what was sampled one by one, as a strip.
#pragma once

#include <vector>

#include "reports/render/chart.h"

namespace warpmark {

/// One chart, of the smallest case of each benchmark, device and kernel that has percentiles; none where no case has.
[[nodiscard]] std::vector<Chart> percentile_charts(const std::vector<Result>& results);

}  // namespace warpmark
