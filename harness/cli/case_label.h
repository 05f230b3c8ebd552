// SPDX-License-Identifier: Apache-2.0
// A case for people: the parts of its id, sizes in binary units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/core/record.h"

namespace warpmark {

struct CaseLabel {
  std::string benchmark{};  // "memory/triad"
  std::string type{};       // "f64"
  std::string at{};         // "64 KiB", "memory", "n=512 batch=64"
  std::string kernel{};     // "nt", "onednn batch": with the mode where the id has it

  /// "memory/triad f64 64 KiB nt".
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] CaseLabel label_of(const Record& record);

/// At most `most` characters, the middle left out where there are more: "memory/tr...=65536". Ids differ at their ends.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace warpmark
