// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/expectation.h"

#include <string>

#include "harness/cli/terminal.h"
#include "harness/core/printable.h"

namespace warpmark {

void expect(bool holds, std::string_view what) {
  if (!holds) throw Broken("broken: " + std::string(what));
}

void expect_sentence(std::string_view text) {
  expect(!text.empty(), "a refusal says why");
  expect(one_line(text) == text, "a refusal is one line of text, but it is: " + printable(text));
}

void expect_harmless(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    expect(one_line(line) == line, "each line is text, but this is one: " + printable(line));
    begin += line.size() + 1;
  }
}

}  // namespace warpmark
