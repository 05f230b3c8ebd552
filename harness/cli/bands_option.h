// SPDX-License-Identifier: Apache-2.0
// --bands: a file of the user's that says what numbers of a model usually are, before what the program knows itself.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/app.h"
#include "harness/reference/bands.h"

namespace warpmark {

void add_bands_option(CommandLine& line, CLI::App& command, std::string& file);

/// Those of the program where the name is empty. Throws UsageError for a file that cannot be read, with its line where
/// it has a wrong one.
[[nodiscard]] BandTable bands_of(const std::string& file);

/// Says it where a document's run had other bands than `file`, by which its verdict may differ. Its file is not opened
/// by itself: documents come from outside.
void tell_other_bands(const nlohmann::json& run, const std::string& file);

}  // namespace warpmark
