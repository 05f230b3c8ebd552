// SPDX-License-Identifier: Apache-2.0
#include "harness/core/printable.h"

#include <fmt/format.h>

namespace warpmark {

std::string printable(std::string_view text) {
  constexpr std::size_t most = 240;  // a name is not a page
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

}  // namespace warpmark
