// SPDX-License-Identifier: Apache-2.0
// Runs a piece of a test in a child process that cannot write as much as it wants.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace warpmark {

/// What `act` returns in a child in which no file may grow beyond `bytes` (RLIMIT_FSIZE). It may lift_file_limit().
[[nodiscard]] std::string with_file_limit(std::size_t bytes, const std::function<std::string()>& act);
void lift_file_limit();

/// What `act` returns in a child that has a file system of `bytes` in `folder` for itself; empty where the system lets
/// nobody mount one.
[[nodiscard]] std::optional<std::string> on_small_disk(const std::filesystem::path& folder, std::size_t bytes,
                                                       const std::function<std::string()>& act);

}  // namespace warpmark
