// SPDX-License-Identifier: Apache-2.0
// Where a report goes and in which format: settled before anything is read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/context.h"

namespace warpmark {

/// In the place of a file: standard input, or standard output.
inline constexpr std::string_view standard_stream = "-";

struct ReportRequest {
  std::vector<std::string> results{};
  std::string out{};     // empty: beside the first result
  std::string format{};  // empty: by the end of `out`
  bool format_by_flag = false;
  std::string bands{};  // a file of the user's; empty: only the program's own
};

/// A flag decides, then the end of the file's name (in small letters or capitals), then what a variable or a file says,
/// then the default. Throws UsageError for an ending that is no format's: a page in a file called .pdf would open
/// nowhere.
[[nodiscard]] const ReportFormat& format_of(const ReportRequest& request, const Context& context);

/// Empty for standard output. Throws UsageError when the file there is a result, a journal or a suite.
[[nodiscard]] std::filesystem::path path_of(const ReportRequest& request, const ReportFormat& format);

}  // namespace warpmark
