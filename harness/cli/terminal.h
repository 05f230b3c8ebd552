// SPDX-License-Identifier: Apache-2.0
// What the terminal behind a stream can do. NO_COLOR, TERM=dumb and a stream that is no terminal all mean plain text.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace warpmark {

enum class Ink { plain, good, bad, doubtful, faint, strong };

enum class Colour { automatic, always, never };

/// What the user wants of every Terminal made from now on.
void choose_colour(Colour colour);

class Terminal {
 public:
  explicit Terminal(std::FILE* stream);

  [[nodiscard]] bool interactive() const { return interactive_; }
  [[nodiscard]] std::size_t columns() const;
  /// The text in colour, or as it is.
  [[nodiscard]] std::string inked(std::string_view text, Ink ink) const;
  void write(std::string_view text) const;
  /// Replaces the line that the cursor is on. Only where interactive.
  void rewrite_line(std::string_view text) const;

 private:
  std::FILE* stream_;
  bool interactive_;
  bool coloured_;
};

}  // namespace warpmark
