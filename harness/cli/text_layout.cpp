// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/text_layout.h"

#include <fmt/format.h>

namespace warpmark {

std::string counted(std::size_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return lines;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= width) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
}

std::string entry(std::string_view label, std::string_view text, const Columns& columns) {
  std::string result = fmt::format("{:{}}{}", "", columns.label, label);
  const bool beside = result.size() < columns.text;
  std::string lead = beside ? std::string(columns.text - result.size(), ' ') : fmt::format("\n{:{}}", "", columns.text);
  for (const std::string& line : wrap(text, columns.end - columns.text)) {
    result += lead + line;
    lead = fmt::format("\n{:{}}", "", columns.text);
  }
  return result + "\n";
}

std::string paragraph(std::string_view text, const Columns& columns) {
  std::string result;
  for (const std::string& line : wrap(text, columns.end - columns.label))
    result += fmt::format("{:{}}{}\n", "", columns.label, line);
  return result;
}

}  // namespace warpmark
