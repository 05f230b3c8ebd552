// SPDX-License-Identifier: Apache-2.0
// Text from outside, made safe for a terminal: names of devices and files are data, and a terminal obeys what it is
// sent.
#pragma once

#include <string>
#include <string_view>

namespace warpmark {

/// Printable ASCII stays; every other byte, and the backslash, becomes \xNN or \\. Text over 240 bytes is cut and ends
/// in "...".
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace warpmark
