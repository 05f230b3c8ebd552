// SPDX-License-Identifier: Apache-2.0
// What somebody probably meant: every message about a word that we do not know names the nearest one that we do.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpmark {

/// The choice with the smallest edit distance (insert, delete, replace, swap of neighbours); the first of equals. Empty
/// for no choices.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> choices);

/// The nearest, where it may be what was meant: at most two edits, or one in three letters, and less than every second
/// letter; capitals are no difference. Empty where none is so near.
[[nodiscard]] std::string near_enough(std::string_view word, std::span<const std::string> choices);

}  // namespace warpmark
