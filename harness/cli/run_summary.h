// SPDX-License-Identifier: Apache-2.0
// What a person reads when a run has ended: key numbers, cases, what went wrong, what to doubt and what to do about it.
#pragma once

#include <cstddef>
#include <string>

#include "harness/cli/terminal.h"
#include "harness/reference/bands.h"
#include "harness/store/document.h"

namespace warpmark {

struct RunSummaryOptions {
  bool all = false;                         // every case, however many
  std::size_t columns = std::string::npos;  // no line is wider, where words allow it
  std::string report{};                     // the command that shows the rest: "warpmark report x.json"
  const BandTable* bands = nullptr;         // what numbers are held against; null: the program's own
};

/// The columns of an interactive terminal; no limit elsewhere.
[[nodiscard]] std::size_t width_of(const Terminal& terminal);

[[nodiscard]] std::string run_summary(const Document& document, const RunSummaryOptions& options,
                                      const Terminal& terminal);

}  // namespace warpmark
