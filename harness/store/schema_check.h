// SPDX-License-Identifier: Apache-2.0
// Holds JSON against the published schemas (schema/*.json), which are part of the program.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark {

/// Where and how a value breaks its schema: only the first place.
struct Violation {
  std::string pointer{};  // JSON pointer from the value that was checked; empty for the value itself
  std::string what{};     // what was expected and what is there
};

/// `part` is a name in the $defs of one of the schemas: document, record, head, suite. Throws std::logic_error for
/// another.
[[nodiscard]] std::optional<Violation> schema_violation(std::string_view part, const nlohmann::json& value);

/// One more step of a JSON pointer (RFC 6901).
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view key);

}  // namespace warpmark
