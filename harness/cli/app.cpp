// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/app.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "build_info.h"
#include "harness/cli/commands.h"
#include "harness/cli/help.h"
#include "harness/cli/manual.h"
#include "harness/cli/usage_error.h"
#include "harness/core/error.h"
#include "harness/profile/range.h"

namespace warpmark {
namespace {

std::string version_text() {
  return fmt::format("warpmark {} ({}, {}, {}; nvtx {}, oneDNN {}, cuda no)", build_info::version,
                     build_info::git[0] == '\0' ? "no git revision" : build_info::git, build_info::type,
                     build_info::compiler, nvtx_built_in() ? "yes" : "no", build_info::onednn ? "yes" : "no");
}

/// The command that was typed; nullptr for none.
CLI::App* typed_command(const CLI::App& program) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

int end(ExitCode code) {
  // What was printed may still wait in memory, and its disk may be full.
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (!written && errno != EPIPE) {  // a reader that left, as `head` does, has what it wanted
    complain(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
    return static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(code);
}

int show_help(const CLI::App& program) {
  const CLI::App* const command = typed_command(program);
  fmt::print("{}", help_text(command == nullptr ? program : *command, Terminal(stdout)));
  return end(ExitCode::done);
}

int refuse(std::string_view why, ExitCode code = ExitCode::usage) {
  complain(why);
  return static_cast<int>(code);
}

int parse_and_run(CommandLine& line, const std::vector<std::string>& typed) {
  std::vector<std::string> words(typed.rbegin(), typed.rend());  // CLI11 takes them from the back
  if (!words.empty()) words.pop_back();
  line.app->parse(words);
  CLI::App* const command = typed_command(*line.app);
  if (command == nullptr) {
    fmt::print(stderr, "{}", short_help(*line.app, Terminal(stderr)));
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
  line->app->set_version_flag("--version", version_text(), "Print version and build");
  line->app->require_subcommand(0, 1);
  for (const auto add : {add_run_command, add_report_command, add_info_command, add_list_command, add_explain_command,
                         add_worker_command, add_probe_command, add_man_command, add_completion_command})
    add(*line, context);
  return line;
}

int run_command_line(const Context& context) {
  const std::unique_ptr<CommandLine> line = make_command_line(context);
  try {
    return parse_and_run(*line, context.command_line);
  } catch (const CLI::CallForHelp&) {
    return show_help(*line->app);
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
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
