// SPDX-License-Identifier: Apache-2.0
// The little Markdown that our own embedded manuals are written in: headings, paragraphs, lists and fenced code. A
// renderer of a library writes one kind of output; help, man page and `explain` need three.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

struct Block {
  enum class Kind { paragraph, item, code };
  Kind kind = Kind::paragraph;
  std::string text{};  // a paragraph or an item on one line; code as it stands, without its last line end
};

/// A heading and what follows it up to the next.
struct Section {
  int level = 0;  // the number of its #
  std::string title{};
  std::vector<Block> blocks{};
};

/// Text before the first heading is a section of level 0.
[[nodiscard]] std::vector<Section> parse_markdown(std::string_view text);

/// The blocks for a terminal, indented by two and at most `width` wide.
[[nodiscard]] std::string plain_text(const std::vector<Block>& blocks, std::size_t width);

/// The first sentence of the first paragraph, without its full stop.
[[nodiscard]] std::string first_sentence(const std::vector<Block>& blocks);

}  // namespace warpmark
