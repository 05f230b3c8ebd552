// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "build_info.h"
#include "harness/cli/commands.h"
#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/profile/range.h"

namespace warpmark {
namespace {

std::string version_text() {
  return fmt::format("warpmark {} ({}, {}, {}; nvtx {}, oneDNN {}, cuda no)", build_info::version,
                     build_info::git[0] == '\0' ? "no git revision" : build_info::git, build_info::type, build_info::compiler,
                     nvtx_built_in() ? "yes" : "no", build_info::onednn ? "yes" : "no");
}

/// Names that the user could have meant at this place: commands and long options.
std::vector<std::string> choices_of(const CLI::App& app) {
  std::vector<std::string> choices;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) choices.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) choices.push_back("--" + name);
  return choices;
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

int explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> words = app.remaining(true);
  if (!words.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    fmt::print(stderr, "warpmark: {} is not known here; did you mean {}? `{} --help` lists what there is\n", words.front(),
               nearest(words.front(), choices_of(command)), command.get_parent() == nullptr ? "warpmark" : "warpmark " + command.get_name());
  } else {
    fmt::print(stderr, "warpmark: {}\n", error.what());
  }
  return static_cast<int>(ExitCode::usage);
}

}  // namespace

std::unique_ptr<CommandLine> make_command_line(const Context& context) {
  auto line = std::make_unique<CommandLine>();
  line->app = std::make_unique<CLI::App>("Measures a GPU machine: before you rent it, after you upgrade its driver, while you hunt a slowdown.", "warpmark");
  line->app->set_version_flag("--version", version_text(), "Print version and build");
  line->app->require_subcommand(1);
  line->app->set_help_all_flag("");
  add_run_command(*line, context);
  add_list_command(*line, context);
  add_info_command(*line, context);
  add_report_command(*line, context);
  add_worker_commands(*line, context);
  return line;
}

int run_command_line(const Context& context) {
  const auto line = make_command_line(context);
  try {
    std::vector<std::string> words(context.command_line.rbegin(), context.command_line.rend());
    words.pop_back();
    line->app->parse(words);
  } catch (const CLI::Success& asked) {  // --help and --version
    return line->app->exit(asked);
  } catch (const CLI::ParseError& error) {
    return explain_parse_error(*line->app, error);
  }
  try {
    return static_cast<int>(line->actions.at(line->app->get_subcommands().front())());
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpmark: {}\n", error.what());
    return static_cast<int>(ExitCode::usage);
  }
}

}  // namespace warpmark
