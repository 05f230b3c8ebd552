// SPDX-License-Identifier: Apache-2.0
// From a file to JSON, with the place in every complaint. What is read here was written by anybody: size and depth are
// limited before anything is built from it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpmark {

/// Our own documents nest 6 deep; the open parts of one may nest this deep.
inline constexpr std::size_t max_json_depth = 64;

/// The whole file or pipe. Throws UsageError that names the path when it is missing, a folder, unreadable or too large.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

/// Parses one JSON value. `source` names the text in errors, `if_truncated` ends the message when the text stops in the
/// middle. Throws UsageError with line and column. Of equal keys in one object the last counts.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, std::string_view source,
                                        std::string_view if_truncated = {});

/// The value as one line of ASCII of at most 60 characters, for a message: whatever the text holds, a terminal shows it
/// as text.
[[nodiscard]] std::string shown(const nlohmann::json& value);

/// How a value is written: on one line; bytes that are not UTF-8 become U+FFFD, so that a strange device name loses no
/// result.
[[nodiscard]] std::string line_of(const nlohmann::json& value);

}  // namespace warpmark
