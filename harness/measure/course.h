// SPDX-License-Identifier: Apache-2.0
// What a case that ran for a given time says beyond its headline: the rate of its first seconds, and when it settled.
#pragma once

#include <vector>

#include "harness/core/record.h"

namespace warpmark {

/// Where the first seconds end, a fifth of the time and 5 s at most, and where what stays begins: where the rate
/// settled, or with the last third where it never did.
[[nodiscard]] Course course_of(const Samples& samples);

/// Median seconds of a launch among the samples that begin in [from, until) seconds. At least one sample does.
[[nodiscard]] double seconds_between(const Samples& samples, double from, double until);

/// Median seconds of a launch in the part that the headline is of: all samples where there is no course.
[[nodiscard]] double headline_seconds(const Record& record);

/// The headline's companions: `first_<name>`, the same rate in the first seconds, and `settling_time` where it settled.
/// None for a record without a course.
[[nodiscard]] std::vector<Metric> course_metrics(const Record& record, const Metric& headline);

/// Adds the headline's rate for each watt that the device took in the same part, `<name>_per_watt`, to a record with a
/// course whose telemetry has power: it is there only after the record has left its worker.
void add_per_watt(Record& record);

}  // namespace warpmark
