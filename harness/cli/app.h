// SPDX-License-Identifier: Apache-2.0
// The command line: every command and option as one object, from which parsing, layers of options, help, man page and
// completions all come.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/context.h"
#include "harness/cli/settings.h"
#include "harness/core/status.h"

namespace warpmark {

/// What a command does once its options are known.
using Action = std::function<ExitCode(const Settings&)>;

/// What can stand behind an option or in its place, for the completions of shells.
struct Offer {
  enum class Paths { none, files, folders };
  std::vector<std::string> words{};
  Paths paths = Paths::none;
};

struct CommandLine {
  std::unique_ptr<CLI::App> app{};
  std::map<const CLI::App*, Action> actions{};  // by command
  std::map<const CLI::Option*, Offer> offers{};
};

/// Every command with its options. The context has to outlive it.
[[nodiscard]] std::unique_ptr<CommandLine> make_command_line(const Context& context);

/// Parses and runs. Errors end as one line on standard error and exit code 2.
[[nodiscard]] int run_command_line(const Context& context);

}  // namespace warpmark
