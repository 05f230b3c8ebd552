// SPDX-License-Identifier: Apache-2.0
// Text that would be markup if anything let it through, put into every text of a document.
#pragma once

#include <string_view>

#include "harness/store/document.h"

namespace warpmark {

/// What may not stand in a page: the beginning of an element that no page of ours has.
inline constexpr std::string_view mark = "<fuzzed";

/// Ends an attribute, a cell, a code span and a line on the way to the mark.
inline constexpr std::string_view marked_text = "'\"|`,\r\n=<fuzzed onclick=x>\x1b[2J";

/// Adds it to every text that anybody may choose. What is one of a few words stays.
void add_marks(Document& document);

/// Whether a mark stands where Markdown would take it for HTML: anywhere but in `code`.
[[nodiscard]] bool has_mark_outside_code(std::string_view markdown);

}  // namespace warpmark
