// SPDX-License-Identifier: Apache-2.0
// The only file of the program that compiles patterns: libstdc++ takes the bound from a macro, which may not differ
// between files.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name is libstdc++'s
#define _GLIBCXX_REGEX_STATE_LIMIT 2000
#include "harness/core/pattern.h"

namespace warpmark {
namespace {

constexpr std::size_t longest = 1000;  // the library's compiler calls itself for each bracket

/// The library's own words name its macro.
class TooLarge : public std::regex_error {
 public:
  TooLarge() : regex_error(std::regex_constants::error_space) {}
  [[nodiscard]] const char* what() const noexcept override {
    return "it is too large; write it shorter, with smaller {counts}";
  }
};

}  // namespace

std::regex pattern_of(const std::string& text) {
  if (text.size() > longest) throw TooLarge();
  try {
#ifdef __GLIBCXX__
    return std::regex(text, std::regex::ECMAScript | std::regex_constants::__polynomial);
#else
    return std::regex(text, std::regex::ECMAScript);
#endif
  } catch (const std::regex_error& error) {
    if (error.code() != std::regex_constants::error_space) throw;
    throw TooLarge();
  }
}

}  // namespace warpmark
