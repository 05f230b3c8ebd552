// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(Integer, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(integer("42"), 42);
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(integer("42 "), std::nullopt);
  EXPECT_EQ(integer("0x10"), std::nullopt);
  EXPECT_EQ(integer(""), std::nullopt);
  EXPECT_EQ(integer("9223372036854775808"), std::nullopt);
}

TEST(Number, TakesDecimalsOnly) {
  EXPECT_EQ(number("16.0"), 16.0);
  EXPECT_EQ(number("8"), 8.0);
  EXPECT_EQ(number("inf"), std::nullopt);
  EXPECT_EQ(number("nan"), std::nullopt);
  EXPECT_EQ(number("8 GT/s"), std::nullopt);
}

TEST(CpuList, ReadsRangesAndSingles) {
  EXPECT_THAT(cpu_list("0-3,8\n"), Optional(ElementsAre(0, 1, 2, 3, 8)));
  EXPECT_THAT(cpu_list("5,1,1-2"), Optional(ElementsAre(1, 2, 5)));
  EXPECT_THAT(cpu_list(""), Optional(IsEmpty()));
}

TEST(CpuList, RefusesWhatIsNone) {
  for (const char* text : {"a", "3-1", "-1", "1-", "1,,2", "0-999999999999", "65536", "0-65535,0-65535"}) {
    EXPECT_EQ(cpu_list(text), std::nullopt) << text;
  }
}

TEST(CpuListText, IsTheOtherWay) {
  EXPECT_EQ(cpu_list_text({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(cpu_list_text({7}), "7");
  EXPECT_EQ(cpu_list_text({}), "");
}

TEST(Words, DropsBlanks) {
  EXPECT_THAT(words("  a\t b \n"), ElementsAre("a", "b"));
  EXPECT_THAT(words(" "), IsEmpty());
}

TEST(ValueOf, NeedsTheWholeKey) {
  constexpr std::string_view text = "model\t\t: 49\nmodel name\t: EPYC\nempty\t:";
  EXPECT_EQ(value_of(text, "model", ':'), "49");
  EXPECT_EQ(value_of(text, "model name", ':'), "EPYC");
  EXPECT_EQ(value_of(text, "empty", ':'), "");
  EXPECT_EQ(value_of(text, "mode", ':'), std::nullopt);
}

TEST(KibLineBytes, IsBytesOfKib) {
  constexpr std::string_view text = "MemTotal:  16 kB\nHugePages_Total:  7\nOdd: 3 MB\nHuge: 9000000000000000 kB";
  EXPECT_EQ(kib_line_bytes(text, "MemTotal"), 16384);
  EXPECT_EQ(kib_line_bytes(text, "HugePages_Total"), std::nullopt);
  EXPECT_EQ(kib_line_bytes(text, "Odd"), std::nullopt);
  EXPECT_EQ(kib_line_bytes(text, "Huge"), std::nullopt);
}

}  // namespace
}  // namespace warpmark
