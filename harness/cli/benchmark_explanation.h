// SPDX-License-Identifier: Apache-2.0
// What the program itself knows of a benchmark, a family or a kernel that nobody has written a topic about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/explanations.h"

namespace warpmark {

/// By the name of a benchmark ("memory/triad"), of a family ("memory") or of a kernel ("avx2"). Empty where it is none.
[[nodiscard]] std::optional<Explanation> explanation_of_benchmark(const std::string& word);

/// Every word that explanation_of_benchmark takes.
[[nodiscard]] std::vector<std::string> benchmark_words();

}  // namespace warpmark
