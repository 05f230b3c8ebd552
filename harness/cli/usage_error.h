// SPDX-License-Identifier: Apache-2.0
// What people read when a command cannot do what they typed: one line on standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace warpmark {

/// What is wrong with the words that were typed, and the nearest that would be right.
[[nodiscard]] std::string explanation(const CLI::App& program, const CLI::ParseError& error);

/// A word that belongs to no command or option.
[[nodiscard]] std::string unknown_word(const CLI::App& program, const CLI::App& command, const std::string& word);

/// "warpmark: ..." on standard error, always on one line, whatever the message quotes.
void complain(std::string_view message);

}  // namespace warpmark
