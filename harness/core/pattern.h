// SPDX-License-Identifier: Apache-2.0
// Regular expressions of people and of suite files. Backtracking would take for ever on some ("(.*)*(.*)*z"): these are
// matched in time that the length of both bounds, and so know no back-references.
#pragma once

#include <regex>
#include <string>

namespace warpmark {

/// ECMAScript without back-references. Throws std::regex_error.
[[nodiscard]] inline std::regex pattern_of(const std::string& text) {
#ifdef __GLIBCXX__
  return std::regex(text, std::regex::ECMAScript | std::regex_constants::__polynomial);
#else
  return std::regex(text, std::regex::ECMAScript);
#endif
}

}  // namespace warpmark
