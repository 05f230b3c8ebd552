// SPDX-License-Identifier: Apache-2.0
// Each add_*_command adds one command: its options to the parser, its action to the table. The rest is what they share.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"

namespace warpmark {

void add_run_command(CommandLine& line, const Context& context);
void add_report_command(CommandLine& line, const Context& context);
void add_info_command(CommandLine& line, const Context& context);
void add_list_command(CommandLine& line, const Context& context);
void add_explain_command(CommandLine& line, const Context& context);
void add_worker_command(CommandLine& line, const Context& context);
void add_sampler_command(CommandLine& line, const Context& context);
void add_probe_command(CommandLine& line, const Context& context);
void add_man_command(CommandLine& line, const Context& context);
void add_completion_command(CommandLine& line, const Context& context);

/// A new command; its one-line description is the one of its manual.
[[nodiscard]] CLI::App* add_command(CommandLine& line, const std::string& name, Action action);
/// A new command that help, completions and manual do not show.
[[nodiscard]] CLI::App* add_hidden_command(CommandLine& line, const std::string& name, Action action);

/// The commands that people are shown, in their order.
[[nodiscard]] std::vector<const CLI::App*> visible_commands(const CLI::App& program);

}  // namespace warpmark
