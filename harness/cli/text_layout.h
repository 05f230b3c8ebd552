// SPDX-License-Identifier: Apache-2.0
// Lines for a terminal: words wrapped to a width, and entries of two columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

/// "1 case", "2 cases".
[[nodiscard]] std::string counted(std::size_t count, std::string_view singular);

/// The words of a text on lines of at most `width` characters; a longer word has a line of its own.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Where the columns of an entry begin and end.
struct Columns {
  std::size_t label = 2;
  std::size_t text = 26;
  std::size_t end = 80;
};

/// A label and, beside it, its text. A label that is too wide has the first line for itself.
[[nodiscard]] std::string entry(std::string_view label, std::string_view text, const Columns& columns);

/// The text as a paragraph that is indented by `columns.label`.
[[nodiscard]] std::string paragraph(std::string_view text, const Columns& columns);

}  // namespace warpmark
