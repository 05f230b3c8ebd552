// SPDX-License-Identifier: Apache-2.0
// From the word after --suite to the suite's text: one that is part of the program, or a file.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"

namespace warpmark {

/// Which cases, on which device: what `run` and `worker` both take.
struct SuiteOptions {
  std::string device{};
  std::string suite = "quick";
  std::string filter{};
};

void add_suite_options(CommandLine& line, CLI::App& command, SuiteOptions& options, const Context& context);

/// The suites that are part of the program.
[[nodiscard]] std::vector<std::string> suite_names(const Context& context);

/// Whether the word is meant as a path: it ends in .json or has a slash.
[[nodiscard]] bool is_suite_file(const std::string& name_or_file);

/// The text of a suite of the program or of a file. Throws UsageError when it cannot be read.
[[nodiscard]] std::string suite_text(const Context& context, const std::string& name_or_file);

}  // namespace warpmark
