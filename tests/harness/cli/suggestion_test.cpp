// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/suggestion.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpmark {
namespace {

const std::vector<std::string> formats{"html", "md", "csv"};

TEST(as_typed, shows_a_word_that_would_not_be_seen) {
  EXPECT_EQ(as_typed(""), "''");
  EXPECT_EQ(as_typed("a b"), "'a b'");
  EXPECT_EQ(as_typed("cpu:0"), "cpu:0");
  EXPECT_EQ(as_typed("x\x1b[2J"), "x\\x1b[2J");
}

TEST(did_you_mean, names_what_is_near_or_else_all_there_is) {
  EXPECT_EQ(did_you_mean("htlm", formats), "did you mean html?");
  EXPECT_EQ(did_you_mean("pdf", formats), "there are html, md and csv");
  EXPECT_EQ(did_you_mean("pdf", formats, "ask"), "ask");
  EXPECT_EQ(did_you_mean("x", {}), "there is none");
  EXPECT_EQ(did_you_mean("full", std::vector<std::string>{"quick"}), "there is quick");
}

}  // namespace
}  // namespace warpmark
