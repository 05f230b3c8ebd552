// SPDX-License-Identifier: Apache-2.0
// From the word after --suite to the suite's text: one that is part of the program, or a file.
#pragma once

#include <string>

#include "harness/cli/context.h"

namespace warpmark {

/// Throws UsageError that names the nearest suite when there is neither.
[[nodiscard]] std::string suite_text(const Context& context, const std::string& name_or_file);

}  // namespace warpmark
