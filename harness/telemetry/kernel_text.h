// SPDX-License-Identifier: Apache-2.0
// Reads the small text forms of /proc and /sys: integers, CPU lists, "key value" lines. Anything else is empty, never a
// guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

[[nodiscard]] std::string_view trim(std::string_view text);

/// The whole text as a decimal integer.
[[nodiscard]] std::optional<std::int64_t> integer(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> integer_in(const std::optional<std::string>& text);
/// The whole text as a number such as "2.5".
[[nodiscard]] std::optional<double> number(std::string_view text);

/// "0-3,8" as {0,1,2,3,8}, sorted. Empty for anything else, and for CPU numbers of 65536 or more.
[[nodiscard]] std::optional<std::vector<int>> cpu_list(std::string_view text);
/// The other way: {0,1,2,3,8} as "0-3,8".
[[nodiscard]] std::string cpu_list_text(const std::vector<int>& sorted);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char at);
/// Parts between runs of blanks.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

/// What follows `key` and `separator` on the first line that starts with the key; empty when there is none.
/// value_of("MemTotal:  16 kB", "MemTotal", ':') is "16 kB".
[[nodiscard]] std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator);

/// The same for a line "MemTotal:  16 kB", in bytes. The kernel writes kB and means KiB.
[[nodiscard]] std::optional<std::int64_t> kib_line_bytes(std::string_view text, std::string_view key);

/// "madvise" of "always [madvise] never": the setting in brackets.
[[nodiscard]] std::optional<std::string> chosen(std::string_view text);

}  // namespace warpmark
