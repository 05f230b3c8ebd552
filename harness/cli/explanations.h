// SPDX-License-Identifier: Apache-2.0
// What statuses, exit codes and topics mean and what to do about them: explain.md, which is part of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/markdown.h"

namespace warpmark {

/// Exit code 3 is explained as "exit-3".
inline constexpr std::string_view exit_prefix = "exit-";

struct Explanation {
  std::string id{};
  std::vector<Block> blocks{};
};

/// All of them, in the order of the file.
[[nodiscard]] std::vector<Explanation> explanations();

/// Those of the exit codes.
[[nodiscard]] std::vector<Explanation> exit_codes();

/// By id; an exit code also by its number alone, a benchmark, a family and a kernel by its name. Throws UsageError that
/// names the nearest.
[[nodiscard]] Explanation explanation_of(const std::string& id);

}  // namespace warpmark
