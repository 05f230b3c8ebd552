// SPDX-License-Identifier: Apache-2.0
// What people are told about an option, by help, man page and completions alike.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpmark {

/// Every option of a command that people are shown, in the order they were added, and --help last.
[[nodiscard]] std::vector<const CLI::Option*> visible_options(const CLI::App& command);

/// "warpmark run", or "warpmark" for the program itself.
[[nodiscard]] std::string spoken_name(const CLI::App& command);

/// "REGEX"; empty for a flag.
[[nodiscard]] std::string value_name(const CLI::Option& option);

/// "-o", "--out"; the place's own name for one that stands by its place.
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);

/// "-o, --out FILE".
[[nodiscard]] std::string label_of(const CLI::Option& option);

/// "default: quick; WARPMARK_SUITE"; empty for an option with neither.
[[nodiscard]] std::string origin_note(const CLI::Option& option);

}  // namespace warpmark
