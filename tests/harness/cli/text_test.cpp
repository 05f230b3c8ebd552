// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "harness/cli/markdown.h"
#include "harness/cli/terminal.h"
#include "harness/cli/text_layout.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(wrap, fills_lines_up_to_the_width) {
  EXPECT_THAT(wrap("aa bb cc", 5), ElementsAre("aa bb", "cc"));
  EXPECT_THAT(wrap("aa bb cc", 4), ElementsAre("aa", "bb", "cc"));
  EXPECT_THAT(wrap("  aa \n bb ", 80), ElementsAre("aa bb"));
}

TEST(wrap, gives_a_long_word_a_line_of_its_own) { EXPECT_THAT(wrap("a bcdefg h", 3), ElementsAre("a", "bcdefg", "h")); }

TEST(wrap, has_no_line_for_no_words) { EXPECT_THAT(wrap(" \n ", 10), IsEmpty()); }

TEST(entry, puts_the_text_beside_the_label) {
  EXPECT_EQ(entry("--x", "one two three", Columns{.label = 1, .text = 6, .end = 13}), " --x  one two\n      three\n");
}

TEST(entry, begins_a_new_line_under_a_wide_label) {
  EXPECT_EQ(entry("--wide", "text", Columns{.label = 0, .text = 6, .end = 20}), "--wide\n      text\n");
  EXPECT_EQ(entry("--fits", "text", Columns{.label = 0, .text = 7, .end = 20}), "--fits text\n");
}

TEST(parse_markdown, knows_headings_paragraphs_lists_and_code) {
  const auto sections =
      parse_markdown("# A\n\nOne\ntwo.\n\nThree.\n\n## B\n\n- x\n  y\n- z\n\n```\ncode\n\n  more\n```\n");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].level, 1);
  EXPECT_EQ(sections[0].title, "A");
  ASSERT_EQ(sections[0].blocks.size(), 2U);
  EXPECT_EQ(sections[0].blocks[0].text, "One two.");
  EXPECT_EQ(sections[1].level, 2);
  ASSERT_EQ(sections[1].blocks.size(), 3U);
  EXPECT_EQ(sections[1].blocks[0].kind, Block::Kind::item);
  EXPECT_EQ(sections[1].blocks[0].text, "x y");
  EXPECT_EQ(sections[1].blocks[1].text, "z");
  EXPECT_EQ(sections[1].blocks[2].kind, Block::Kind::code);
  EXPECT_EQ(sections[1].blocks[2].text, "code\n\n  more");
}

TEST(plain_text, indents_and_wraps_words) {
  const auto sections = parse_markdown("## B\n\naa bb cc\n\n- dd ee ff\n- g\n\n```\ncode\n\nx\n```\n");
  EXPECT_EQ(plain_text(sections[0].blocks, 8), "  aa bb\n  cc\n\n  - dd\n    ee\n    ff\n  - g\n\n  code\n\n  x\n");
}

TEST(plain_text, folds_code_only_where_no_line_holds_it) {
  const auto sections = parse_markdown("## B\n\n```\nwarpmark run --out x   into a folder\n```\n");
  EXPECT_EQ(plain_text(sections[0].blocks, 80), "  warpmark run --out x   into a folder\n");
  EXPECT_EQ(plain_text(sections[0].blocks, 20), "  warpmark run \\\n    --out x\n      into a folder\n");
}

TEST(first_sentence, ends_before_the_full_stop) {
  EXPECT_EQ(first_sentence({Block{.text = "One two. Three."}}), "One two");
  EXPECT_EQ(first_sentence({Block{.text = "One 1.5 two."}}), "One 1.5 two");
  EXPECT_EQ(first_sentence({}), "");
}

TEST(terminal, has_colour_when_asked_and_none_in_a_file) {
  std::FILE* const file = std::tmpfile();
  EXPECT_EQ(Terminal(file).inked("x", Ink::bad), "x");
  choose_colour(Colour::always);
  EXPECT_NE(Terminal(file).inked("x", Ink::bad), "x");
  choose_colour(Colour::never);
  EXPECT_EQ(Terminal(file).inked("x", Ink::bad), "x");
  choose_colour(Colour::automatic);
  std::fclose(file);
}

}  // namespace
}  // namespace warpmark
