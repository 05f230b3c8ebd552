// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/cli/output.h"

namespace warpmark {
namespace {

Colour chosen_colour = Colour::automatic;

bool given(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::good: return "32";
    case Ink::bad: return "31;1";
    case Ink::doubtful: return "33";
    case Ink::faint: return "2";
    case Ink::strong: return "1";
    case Ink::plain: break;
  }
  return "0";
}

}  // namespace

void choose_colour(Colour colour) { chosen_colour = colour; }

Terminal::Terminal(std::FILE* stream) : stream_(stream) {
  const char* const term = std::getenv("TERM");
  interactive_ = isatty(fileno(stream)) == 1 && term != nullptr && std::string_view(term) != "dumb";
  coloured_ =
      chosen_colour == Colour::always || (chosen_colour == Colour::automatic && interactive_ && !given("NO_COLOR"));
}

std::size_t Terminal::columns() const {
  winsize size{};
  if (ioctl(fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

std::string Terminal::inked(std::string_view text, Ink ink) const {
  if (!coloured_ || ink == Ink::plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(ink), text);
}

void Terminal::write(std::string_view text) const {
  if (stream_ == stdout) {
    put(text);
    return flush_output();
  }
  (void)std::fwrite(text.data(), 1, text.size(), stream_);
  (void)std::fflush(stream_);
}

void Terminal::rewrite_line(std::string_view text) const {
  write(fmt::format("\r\x1b[2K{}", text.substr(0, columns() - 1)));
}

}  // namespace warpmark
