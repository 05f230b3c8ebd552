// SPDX-License-Identifier: Apache-2.0
// Reads a record that anybody may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/core/record.h"

namespace warpmark {

/// Holds `json` against the schema and reads it. `pointer` is its place in `source`, for errors. Throws UsageError.
[[nodiscard]] Record checked_record(const nlohmann::json& json, std::string_view source, std::string_view pointer);

/// Throws UsageError when `json` breaks the part of the schemas (schema_violation).
void expect_schema(std::string_view part, const nlohmann::json& json, std::string_view source,
                   std::string_view pointer = {});

}  // namespace warpmark
