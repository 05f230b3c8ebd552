// SPDX-License-Identifier: Apache-2.0
// What --help shows: the manual's sections, and the options as the option objects have them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "harness/cli/terminal.h"

namespace warpmark {

/// Columns of text for reading: narrow terminals are obeyed, on wide ones lines stay short, and a pipe gets 80.
[[nodiscard]] std::size_t reading_width(const Terminal& terminal);

/// Of a command, or of the program: examples first, everything else behind.
[[nodiscard]] std::string help_text(const CLI::App& command, const Terminal& terminal);

/// For somebody who typed no command: what there is, on a few lines.
[[nodiscard]] std::string short_help(const CLI::App& program, const Terminal& terminal);

}  // namespace warpmark
