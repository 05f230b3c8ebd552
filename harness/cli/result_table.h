// SPDX-License-Identifier: Apache-2.0
// The table of a run on the terminal: one row per case, in groups by benchmark; one below the other where it is narrow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cli/terminal.h"
#include "harness/summary/summary.h"

namespace warpmark {

struct ResultRow {
  std::string group{};                     // "memory/triad"
  std::string type{}, at{}, kernel{};      // which case of the group
  std::string note{};                      // of the kernel, where there is room: "1.46 x plain"
  std::string value{}, spread{}, share{};  // "-" for none
  std::string status{};
  Ink ink = Ink::plain;  // of the status
};

/// `with_device` says whether the group has to name it.
[[nodiscard]] ResultRow row_of(const CaseSummary& one, bool with_device);

/// Whether the repeats lie so far apart that their median says little.
[[nodiscard]] bool repeats_differ(const CaseSummary& one);

/// `kernel_title` heads the column of kernels. No line is wider than `columns`, where words allow it.
[[nodiscard]] std::string result_table(const std::vector<ResultRow>& rows, std::string_view kernel_title,
                                       std::size_t columns, const Terminal& terminal);

}  // namespace warpmark
