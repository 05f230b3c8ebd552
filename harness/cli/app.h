// SPDX-License-Identifier: Apache-2.0
// The command line: every command and option as one object, from which parsing, help, man page and completions all come.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "harness/cli/context.h"
#include "harness/core/status.h"

namespace warpmark {

/// What a command does once its options are known.
using Action = std::function<ExitCode()>;

struct CommandLine {
  std::unique_ptr<CLI::App> app{};
  std::map<const CLI::App*, Action> actions{};  // by command
};

/// Every command with its options.
[[nodiscard]] std::unique_ptr<CommandLine> make_command_line(const Context& context);

/// Parses and runs. Errors end as one line on standard error and exit code 2.
[[nodiscard]] int run_command_line(const Context& context);

}  // namespace warpmark
