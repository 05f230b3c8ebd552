// SPDX-License-Identifier: Apache-2.0
// The records of a page as data: one JSON object a line, so that the page reads a record when it is picked and no
// sooner.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reports/render/result.h"

namespace warpmark {

/// Longer series of samples are thinned.
inline constexpr std::size_t most_points = 5000;

/// The samples as a page draws them: five digits, a series that does not change as one number. A long series becomes
/// bins, each with mean (`seconds`), `low` and `high`, and a histogram (`counts`: pairs of value and count) of all.
[[nodiscard]] nlohmann::json page_samples(const Samples& samples);

/// A line per record: result by result, each in the order of its cases and repeats. Without "<", as it stands in a
/// <script>.
[[nodiscard]] std::string record_lines(const std::vector<Result>& results);

}  // namespace warpmark
