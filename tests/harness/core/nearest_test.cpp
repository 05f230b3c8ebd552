// SPDX-License-Identifier: Apache-2.0
#include "harness/core/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace warpmark {
namespace {

std::string nearest_of(std::string_view word, const std::vector<std::string>& choices) {
  return nearest(word, choices);
}

TEST(Nearest, TakesTheFewestEdits) {
  const std::vector<std::string> suites{"quick", "standard", "full"};
  EXPECT_EQ(nearest_of("quik", suites), "quick");
  EXPECT_EQ(nearest_of("qiuck", suites), "quick");
  EXPECT_EQ(nearest_of("standart", suites), "standard");
  EXPECT_EQ(nearest_of("fulll", suites), "full");
  EXPECT_EQ(nearest_of("full", suites), "full");
}

TEST(Nearest, CountsASwapOfNeighboursAsOneEdit) {
  // To "abxy" it is two replacements, and so it would be to "acbd": then the first would win.
  EXPECT_EQ(nearest_of("abcd", {"abxy", "acbd"}), "acbd");
}

TEST(Nearest, TakesTheFirstOfEquals) {
  EXPECT_EQ(nearest_of("cat", {"bat", "rat"}), "bat");
  EXPECT_EQ(nearest_of("cat", {"rat", "bat"}), "rat");
}

TEST(Nearest, HasAnAnswerForAnyWord) {
  EXPECT_EQ(nearest_of("", {"abc", "ab"}), "ab");
  EXPECT_EQ(nearest_of("abc", {""}), "");
  EXPECT_EQ(nearest_of("anything", {}), "");
  EXPECT_EQ(nearest_of(std::string(1'000'000, 'x'), {"y", std::string(256, 'x')}), std::string(256, 'x'));
  EXPECT_EQ(nearest_of("\xff\xfe", {"\xff\xfd", "ab"}), "\xff\xfd");
}

std::string near_to(std::string_view word, const std::vector<std::string>& choices) {
  return near_enough(word, choices);
}

TEST(NearEnough, IsASlipOfTheFingers) {
  const std::vector<std::string> formats{"html", "md", "csv", "google-benchmark"};
  EXPECT_EQ(near_to("htlm", formats), "html");
  EXPECT_EQ(near_to("HTML", formats), "html");
  EXPECT_EQ(near_to("googel-benchmarks", formats), "google-benchmark");
  EXPECT_EQ(near_to("okay", {"ok", "skipped"}), "ok");
}

TEST(NearEnough, IsNoOtherWord) {
  EXPECT_EQ(near_to("pdf", {"html", "md"}), "") << "two edits turn pdf into md, but two of three letters differ";
  EXPECT_EQ(near_to("fast", {"full", "quick"}), "");
  EXPECT_EQ(near_to("", {"a", "quick"}), "");
  EXPECT_EQ(near_to("anything", {}), "");
}

}  // namespace
}  // namespace warpmark
