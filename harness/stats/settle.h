// SPDX-License-Identifier: Apache-2.0
// When a series has come to rest: a device that is worked without a pause boosts, warms, and is throttled.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpmark {

/// Of fewer samples nobody can tell.
inline constexpr std::size_t least_to_settle = 12;

/// Index of the sample from which on a series stays where it ends, or empty where it never came to rest.
///
/// The level is the median of the last third. The series is smoothed by the median of each sample and its two
/// neighbours on either side, which keeps a step where it is. It has settled at the first sample from which on all
/// smoothed ones lie within the tolerance of the level: 2 %, or four deviations of such a median where the samples
/// scatter more. The deviation comes from the differences of neighbours, which a slow change leaves alone.
/// It has not settled where that is in the last third, or where the halves of the last third differ by more than 1 % or
/// what their scatter allows; nor below the least number of samples.
[[nodiscard]] std::optional<std::size_t> settled_from(std::span<const double> samples);

}  // namespace warpmark
