// SPDX-License-Identifier: Apache-2.0
// Regular expressions of people and of suite files. Backtracking would take for ever on some ("(.*)*(.*)*z"): these are
// matched in time that the length of both bounds, and so know no back-references. Counts ("(.?){9999}") make a short
// pattern a long one: what one stands for is bounded too.
#pragma once

#include <regex>
#include <string>

namespace warpmark {

/// ECMAScript without back-references. Throws std::regex_error, also for a pattern of more than 1000 characters or one
/// that stands for more than 2000 steps.
[[nodiscard]] std::regex pattern_of(const std::string& text);

}  // namespace warpmark
