// SPDX-License-Identifier: Apache-2.0
// Where the result of a run goes, and whether it can go there: asked before anything is measured.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpmark {

/// `out` when it ends in .json, else a new name in the folder that it is: "warpmark_<time>_<id>.json". Throws
/// UsageError when there is no such folder, when it cannot be written to, or when a result or a journal of that name is
/// there.
[[nodiscard]] std::filesystem::path result_path(const std::string& out, std::string_view run_id);

}  // namespace warpmark
