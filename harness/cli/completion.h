// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, made of the option objects: commands, options, and the words that options take.
#pragma once

#include <string>

#include "harness/cli/app.h"

namespace warpmark {

[[nodiscard]] std::string bash_completion(const CommandLine& line);
[[nodiscard]] std::string zsh_completion(const CommandLine& line);
[[nodiscard]] std::string fish_completion(const CommandLine& line);

}  // namespace warpmark
