// SPDX-License-Identifier: Apache-2.0
// Where the result of a run goes, and whether it can go there: asked before anything is measured; and which run a
// journal continues.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpmark {

/// `out` when it ends in .json, else a new name in the folder that it is: "warpmark_<time>_<id>.json". That folder may
/// be missing where it can be made in one that is there. Throws UsageError when it cannot, when it cannot be written
/// to, or when a result or a journal of that name is there.
[[nodiscard]] std::filesystem::path result_path(const std::string& out, std::string_view run_id);

/// Makes the folder that result_path() found missing. Throws UsageError when that fails.
void make_folder_of(const std::filesystem::path& result);

/// Throws UsageError, which says what to do, for a path that is no journal: nothing, or a result.
void expect_journal(const std::filesystem::path& path);

}  // namespace warpmark
