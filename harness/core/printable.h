// SPDX-License-Identifier: Apache-2.0
// Text from outside, made safe for a terminal: names of devices and files are data, and a terminal obeys what it is
// sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpmark {

/// Printable ASCII stays; every other byte, and the backslash, becomes \xNN or \\. Text over `most` bytes is cut and
/// ends in "...": a name is not a page.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 240);

/// Bytes at the front of a text that is not empty that steer where it is shown: control characters of ASCII and of
/// Unicode, and those that turn the direction of writing; 0 where it begins with an ordinary one.
[[nodiscard]] std::size_t steering_length(std::string_view text);

/// The text with the bytes of such characters as \xNN, so that it is one line and a terminal obeys nothing in it; words
/// of other languages stay.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace warpmark
