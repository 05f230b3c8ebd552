// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "harness/cli/text_layout.h"

namespace warpmark {
namespace {

constexpr std::string_view fence = "```";

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() == text.size() ? text.size() : line.size() + 1);
  return line;
}

std::string take_code(std::string_view& text) {
  std::string code;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with(fence)) break;
    code.append(code.empty() ? "" : "\n").append(line);
  }
  return code;
}

/// Adds a line of words to what it goes on with, or begins a block.
void add_words(std::vector<Block>& blocks, std::string_view line, bool goes_on) {
  const bool item = line.starts_with("- ");
  if (item) line.remove_prefix(2);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (goes_on && !item) {
    blocks.back().text.append(" ").append(line);
  } else {
    blocks.push_back(Block{.kind = item ? Block::Kind::item : Block::Kind::paragraph, .text = std::string(line)});
  }
}

/// A line of code that no line holds: its words, then what is said beside it, two blanks away. A command that goes on
/// on the next line says so as shells do.
std::string folded(std::string_view line, std::size_t width) {
  if (line.starts_with("    ")) return paragraph(line, Columns{.label = 6, .end = width});  // said beside nothing
  const std::size_t gap = line.find("  ", std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view code = line.substr(0, gap);
  std::string text;
  const std::vector<std::string> lines = wrap(code, std::max<std::size_t>(width, 12) - 6);
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("{:{}}{}{}\n", "", i == 0 ? 2 : 4, lines[i], i + 1 < lines.size() ? " \\" : "");
  if (gap != std::string_view::npos) text += paragraph(line.substr(gap), Columns{.label = 6, .end = width});
  return text;
}

/// Code as it stands, as far as it fits; an empty line stays empty.
std::string indented(std::string_view code, std::size_t width) {
  std::string result;
  while (!code.empty()) {
    const std::string_view line = take_line(code);
    if (line.size() + 2 > width) {
      result += folded(line, width);
    } else {
      result += line.empty() ? "\n" : fmt::format("  {}\n", line);
    }
  }
  return result;
}

}  // namespace

std::vector<Section> parse_markdown(std::string_view text) {
  std::vector<Section> sections(1);
  bool goes_on = false;  // the line before had words
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::vector<Block>& blocks = sections.back().blocks;
    if (const std::size_t level = line.find_first_not_of('#'); level != 0 && level != std::string_view::npos) {
      sections.push_back(Section{.level = static_cast<int>(level), .title = std::string(line.substr(level + 1))});
      goes_on = false;
    } else if (line.starts_with(fence)) {
      blocks.push_back(Block{.kind = Block::Kind::code, .text = take_code(text)});
      goes_on = false;
    } else if (line.empty()) {
      goes_on = false;
    } else {
      add_words(blocks, line, goes_on);
      goes_on = true;
    }
  }
  if (sections.front().blocks.empty()) sections.erase(sections.begin());
  return sections;
}

std::string plain_text(const std::vector<Block>& blocks, std::size_t width) {
  std::string result;
  const Block* before = nullptr;
  for (const Block& block : blocks) {
    const bool both_items = before != nullptr && before->kind == Block::Kind::item && block.kind == Block::Kind::item;
    if (before != nullptr && !both_items) result += "\n";
    before = &block;
    switch (block.kind) {
      case Block::Kind::item: result += entry("-", block.text, Columns{.label = 2, .text = 4, .end = width}); break;
      case Block::Kind::paragraph: result += paragraph(block.text, Columns{.label = 2, .end = width}); break;
      case Block::Kind::code: result += indented(block.text, width); break;
    }
  }
  return result;
}

std::string first_sentence(const std::vector<Block>& blocks) {
  if (blocks.empty()) return "";
  const std::string& text = blocks.front().text;
  const std::size_t stop = text.find(". ");
  if (stop != std::string::npos) return text.substr(0, stop);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace warpmark
