// SPDX-License-Identifier: Apache-2.0
// What the values of options have to be. Each refusal says what would be right, and names the nearest where it can.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/app.h"

namespace warpmark {

/// One of the names; `kind` says what they are: "format".
[[nodiscard]] CLI::Validator one_of(std::string kind, std::vector<std::string> names);
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
/// Seconds, or a number and its unit: 90, 90s, 5m, 1.5h. More than nothing, and not more than a month. For
/// transform(): the text becomes that of the seconds.
[[nodiscard]] CLI::Validator duration_in_seconds();
/// ECMAScript.
[[nodiscard]] CLI::Validator regular_expression();
[[nodiscard]] CLI::Validator key_value();
/// `what` is what the option needs: "a journal".
[[nodiscard]] CLI::Validator not_empty(std::string what);
/// The name of a suite of the program, or the path of a file.
[[nodiscard]] CLI::Validator suite_or_file(const Context& context);

/// Has the option take one of the names, and completions offer them.
void offer_one_of(CommandLine& line, CLI::Option& option, std::string kind, std::vector<std::string> names);

/// What key_value() has checked. Throws UsageError for a key that is there twice.
[[nodiscard]] std::map<std::string, std::string> pairs_of(const std::vector<std::string>& texts);

}  // namespace warpmark
