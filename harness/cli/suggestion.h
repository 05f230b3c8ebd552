// SPDX-License-Identifier: Apache-2.0
// What a message says about a word that is not known: the word, and what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpmark {

/// The word as it was typed, safe for a terminal; in quotes where it would not be seen as one word: '', 'a b'.
[[nodiscard]] std::string as_typed(std::string_view word);

/// "did you mean quick?" where a choice is near; else `otherwise`.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> choices,
                                       std::string_view otherwise);

/// "did you mean html?", or where none is near "there are html, md and csv".
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

}  // namespace warpmark
