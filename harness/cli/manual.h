// SPDX-License-Identifier: Apache-2.0
// The manual of each command, written in Markdown (manual/<command>.md) and part of the program. `--help` and the man
// page are made of it and of the option objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/markdown.h"

namespace warpmark {

struct Manual {
  std::string summary{};  // one line, no full stop
  std::vector<Section> sections{};

  /// Throws std::out_of_range for one that is not there.
  [[nodiscard]] const Section& section(std::string_view title) const;
};

/// The page of a command, or of the program itself ("warpmark"). Throws std::out_of_range for one that has none.
[[nodiscard]] Manual manual_of(std::string_view name);

}  // namespace warpmark
