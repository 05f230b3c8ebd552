// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>

#include "build_info.h"
#include "harness/cli/commands.h"
#include "harness/cli/early_interrupts.h"
#include "harness/cli/help.h"
#include "harness/cli/manual.h"
#include "harness/cli/output.h"
#include "harness/cli/usage_error.h"
#include "harness/core/error.h"
#include "harness/profile/range.h"

namespace warpmark {
namespace {

std::string version_text() {
  return fmt::format("warpmark {} ({}, {}, {}; nvtx {}, oneDNN {}, cuda {})", build_info::version,
                     build_info::git[0] == '\0' ? "no git revision" : build_info::git, build_info::type,
                     build_info::compiler, nvtx_built_in() ? "yes" : "no", build_info::onednn ? "yes" : "no",
                     build_info::cuda);
}

/// The command that was typed; nullptr for none.
CLI::App* typed_command(const CLI::App& program) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

int end(ExitCode code) {
  // What was printed may still wait in memory, and its disk may be full.
  if (const std::string problem = output_problem(); !problem.empty()) {
    complain(problem);
    code = worse(code, ExitCode::usage);
  }
  return static_cast<int>(code);
}

int show_help(const CLI::App& program) {
  const CLI::App* const command = typed_command(program);
  put(help_text(command == nullptr ? program : *command, Terminal(stdout)));
  return end(ExitCode::done);
}

int refuse(std::string_view why, ExitCode code = ExitCode::usage) {
  complain(why);
  return static_cast<int>(code);
}

/// `help run` is `run --help`, as in other programs.
std::vector<std::string> words_of(const std::vector<std::string>& typed, const CLI::App& program) {
  std::vector<std::string> words(typed.begin() + (typed.empty() ? 0 : 1), typed.end());
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  const auto is_named = [&words](const CLI::App* command) { return command->get_name() == words.front(); };
  // The help of a command that there is not would be that of the program.
  if (words.empty() || !program.get_subcommands(is_named).empty()) words.emplace_back("--help");
  return words;
}

/// A run ends with a word of its own; other commands have nothing to say about being stopped.
bool is_run(const std::vector<std::string>& typed) { return typed.size() > 1 && typed[1] == "run"; }

int parse_and_run(CommandLine& line, const std::vector<std::string>& typed) {
  std::vector<std::string> words = words_of(typed, *line.app);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  line.app->parse(words);
  CLI::App* const command = typed_command(*line.app);
  if (command == nullptr) {
    Terminal(stderr).write(short_help(*line.app, Terminal(stderr)));
    return static_cast<int>(ExitCode::usage);
  }
  const Settings settings = Settings::complete(*command);
  for (const std::string& sentence : stray_variables(*line.app)) complain(sentence);
  return end(line.actions.at(command)(settings));
}

}  // namespace

CLI::App* add_hidden_command(CommandLine& line, const std::string& name, Action action) {
  CLI::App* const command = line.app->add_subcommand(name)->group("");
  line.actions[command] = std::move(action);
  return command;
}

CLI::App* add_command(CommandLine& line, const std::string& name, Action action) {
  CLI::App* const command = add_hidden_command(line, name, std::move(action))->group("Commands");
  command->description(manual_of(name).summary);
  return command;
}

std::vector<const CLI::App*> visible_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::unique_ptr<CommandLine> make_command_line(const Context& context) {
  auto line = std::make_unique<CommandLine>();
  line->app = std::make_unique<CLI::App>("", "warpmark");
  line->app->set_help_flag("-h,--help", "Show this help");
  line->app->set_version_flag("-V,--version", version_text(), "Print version and build");
  line->app->require_subcommand(0, 1);
  for (const auto add :
       {add_run_command, add_report_command, add_info_command, add_list_command, add_explain_command,
        add_worker_command, add_sampler_command, add_probe_command, add_man_command, add_completion_command})
    add(*line, context);
  return line;
}

int run_command_line(const Context& context) {
  // A file that reaches its limit (ulimit -f) is an error of the write, as a full disk is.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  std::optional<EarlyInterrupts> interrupts;
  if (is_run(context.command_line)) interrupts.emplace();
  const std::unique_ptr<CommandLine> line = make_command_line(context);
  try {
    return parse_and_run(*line, context.command_line);
  } catch (const CLI::CallForHelp&) {
    return show_help(*line->app);
  } catch (const CLI::CallForVersion& version) {
    put(std::string(version.what()) + "\n");
    return end(ExitCode::done);
  } catch (const CLI::ParseError& error) {
    return refuse(explanation(*line->app, error));
  } catch (const DeviceError& error) {
    return refuse(error.what(), ExitCode::device);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace warpmark
