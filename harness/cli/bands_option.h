// SPDX-License-Identifier: Apache-2.0
// --bands: a file of the user's that says what numbers of a model usually are, before what the program knows itself.
#pragma once

#include <string>

#include "harness/cli/app.h"
#include "harness/reference/bands.h"

namespace warpmark {

void add_bands_option(CommandLine& line, CLI::App& command, std::string& file);

/// Those of the program where the name is empty. Throws UsageError for a file that cannot be read, with its line where
/// it has a wrong one.
[[nodiscard]] BandTable bands_of(const std::string& file);

}  // namespace warpmark
