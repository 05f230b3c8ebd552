// SPDX-License-Identifier: Apache-2.0
#include "harness/core/printable.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

TEST(Printable, LeavesPlainTextAlone) {
  EXPECT_EQ(printable("Intel(R) Xeon(R) ~ @ 2.00GHz"), "Intel(R) Xeon(R) ~ @ 2.00GHz");
}

TEST(Printable, DisarmsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b[31mred\x07\r\n"), "\\x1b[31mred\\x07\\x0d\\x0a");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "the eight-bit form of ESC [";
}

TEST(Printable, CannotBeMistakenForAnEscapeOfItsOwn) { EXPECT_EQ(printable("\\x1b"), "\\\\x1b"); }

TEST(Printable, CutsWhatIsNoName) {
  EXPECT_EQ(printable(std::string(240, 'x')), std::string(240, 'x'));
  EXPECT_EQ(printable(std::string(241, 'x')), std::string(240, 'x') + "...");
}

TEST(OneLine, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(one_line("a\nb\x1b[2Jc\x7f"), "a\\x0ab\\x1b[2Jc\\x7f");
  EXPECT_EQ(one_line("\xc2\x9b[2J"), "\\xc2\\x9b[2J") << "all bytes: the last alone is a control character too";
  EXPECT_EQ(one_line("\u202egnp.exe"), "\\xe2\\x80\\xaegnp.exe");
}

TEST(OneLine, LeavesWordsOfOtherLanguages) {
  for (const char* words : {"Z\u00fcrich 20 \u00b0", "\u2013 \u20ac", "\xe2", "\xc2", ""})
    EXPECT_EQ(one_line(words), words);
}

}  // namespace
}  // namespace warpmark
