// SPDX-License-Identifier: Apache-2.0
#include "harness/core/pattern.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

const std::string id = "memory/triad/cpu:0/plain-1core/f64/footprint=67108864";

bool finds(const std::string& pattern) { return std::regex_search(id, pattern_of(pattern)); }

TEST(pattern_of, searches_as_ecmascript) {
  EXPECT_TRUE(finds("triad"));
  EXPECT_TRUE(finds("^memory/(triad|copy)/.*/footprint=\\d+$"));
  EXPECT_TRUE(finds("(?=.*1core)(?=.*f64)"));
  EXPECT_FALSE(finds("^triad"));
  EXPECT_FALSE(finds("(?=.*nt-)(?=.*f64)"));
  EXPECT_THROW((void)pattern_of("("), std::regex_error);
}

// Backtracking would need longer than the test may take, by many orders of magnitude.
TEST(pattern_of, ends_whatever_the_pattern) {
  for (const char* pattern : {"(.*)*(.*)*(.*)*(.*)*zzz$", "((.+)+)+z", "(x|x|.)*(x|x|.)*z", ".*.*.*.*.*.*.*.*.*.*z"})
    EXPECT_FALSE(finds(pattern)) << pattern;
}

// Each of these would take the program's memory, its stack or minutes per id.
TEST(pattern_of, refuses_what_stands_for_too_much) {
  const std::string brackets = "(?=";
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += brackets;
  for (const std::string& pattern : {std::string("(.?){16000}z"), std::string("(((.{9}){9}){9}){9}"), deep}) {
    try {
      (void)pattern_of(pattern);
      ADD_FAILURE() << "taken: " << pattern.substr(0, 60);
    } catch (const std::regex_error& error) {
      EXPECT_STREQ(error.what(), "it is too large; write it shorter, with smaller {counts}");
    }
  }
  EXPECT_TRUE(finds("[a-z]{2,200}/[^z]{10,500}"));
}

TEST(pattern_of, knows_no_back_references) { EXPECT_THROW((void)pattern_of("(m)\\1"), std::regex_error); }

}  // namespace
}  // namespace warpmark
