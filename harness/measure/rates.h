// SPDX-License-Identifier: Apache-2.0
// From work and time to the metrics of a record, and whether they can be true.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/benchmark.h"
#include "harness/device/device.h"

namespace warpmark {

/// The headline rate of a benchmark: amount of work over the median seconds of a launch (of a case with a course:
/// of its steady part), held against the device's ceiling.
[[nodiscard]] Metric headline(const Benchmark& benchmark, const Case& at, const DeviceInfo& device,
                              const Record& record);

/// What one launch of a hundred and of a thousand takes at least, as metrics beside the headline, as far as there are
/// samples to tell: "<headline>_p99" and "<headline>_p999". Of rates whose amount is one step of a launch.
void add_percentiles(const Summary& stats, std::vector<Metric>& metrics);

/// Empty, or why the metric cannot be true: more than the tolerance above a ceiling that was derived, also at the clock
/// that was measured beside the samples, or no finite positive number.
[[nodiscard]] std::string impossible(const Metric& metric, const DeviceInfo& device, std::string_view ceiling);

}  // namespace warpmark
