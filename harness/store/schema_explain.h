// SPDX-License-Identifier: Apache-2.0
// Says in words why a value breaks its schema. The verdict itself is the validator's, whose own words name keywords of
// JSON Schema.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

/// What the definition `part` expects at `path` of `value`, and what is there; empty when nothing seems wrong there.
[[nodiscard]] std::string explain_violation(const nlohmann::json& definitions, std::string_view part,
                                            const nlohmann::json& value, const std::vector<std::string>& path);

}  // namespace warpmark
