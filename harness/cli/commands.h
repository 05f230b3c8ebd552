// SPDX-License-Identifier: Apache-2.0
// Each adds one command: its options to the parser, its action to the table.
#pragma once

#include "harness/cli/app.h"

namespace warpmark {

void add_run_command(CommandLine& line, const Context& context);
void add_list_command(CommandLine& line, const Context& context);
void add_info_command(CommandLine& line, const Context& context);
void add_report_command(CommandLine& line, const Context& context);
void add_worker_commands(CommandLine& line, const Context& context);

}  // namespace warpmark
