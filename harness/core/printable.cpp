// SPDX-License-Identifier: Apache-2.0
#include "harness/core/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpmark {
namespace {

/// UTF-8 of U+202A to U+202E, U+2066 to U+2069, U+200E and U+200F: they make text read as what it is not.
constexpr std::array<std::string_view, 11> direction_marks{
    "\xE2\x80\xAA", "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE", "\xE2\x81\xA6",
    "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9", "\xE2\x80\x8E", "\xE2\x80\x8F"};

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  for (const char c : text.substr(0, most)) {
    if (c == '\\') {
      result += "\\\\";
    } else if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  if (text.size() > most) result += "...";
  return result;
}

std::size_t steering_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7F) return 1;
  const bool is_c1 = first == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
  if (is_c1) return 2;
  if (first != 0xE2) return 0;
  const auto* const mark = std::find_if(direction_marks.begin(), direction_marks.end(),
                                        [&](std::string_view each) { return text.starts_with(each); });
  return mark == direction_marks.end() ? 0 : mark->size();
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t steering = steering_length(text);
    for (const char c : text.substr(0, steering)) line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    if (steering == 0) line += text.front();
    text.remove_prefix(std::max<std::size_t>(steering, 1));
  }
  return line;
}

}  // namespace warpmark
