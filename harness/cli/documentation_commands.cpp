// SPDX-License-Identifier: Apache-2.0
// What the installation keeps beside the program: its man page and completions, printed by the program itself.
#include <array>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/completion.h"
#include "harness/cli/man_page.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"

namespace warpmark {
namespace {

struct Shell {
  const char* name = nullptr;
  std::string (*completion)(const CommandLine& line) = nullptr;
};

constexpr std::array shells{Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                            Shell{"fish", fish_completion}};

}  // namespace

void add_man_command(CommandLine& line, const Context& /*context*/) {
  (void)add_hidden_command(line, "man", [&line](const Settings&) {
    put(man_page(*line.app));
    return ExitCode::done;
  });
}

void add_completion_command(CommandLine& line, const Context& /*context*/) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const command = add_hidden_command(line, "completion", [name, &line](const Settings&) {
    for (const Shell& shell : shells)
      if (shell.name == *name) put(shell.completion(line));
    return ExitCode::done;
  });
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  offer_one_of(line, *command->add_option("SHELL", *name, "bash, zsh or fish")->required(), "completion for", names);
}

}  // namespace warpmark
