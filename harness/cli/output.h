// SPDX-License-Identifier: Apache-2.0
// Standard output, where the data of a command goes: what cannot be written is noticed once, at the end.
#pragma once

#include <string>
#include <string_view>

namespace warpmark {

/// Writes to standard output. Never throws: output_problem() knows the first failure.
void put(std::string_view text);

/// Hands over what was put, so that it stands before what standard error says next.
void flush_output();

/// Flushes; says why something of it could not be written, once, or nothing where all was. A reader that left, as
/// `head` does, has what it wanted: that is no problem.
[[nodiscard]] std::string output_problem();

}  // namespace warpmark
