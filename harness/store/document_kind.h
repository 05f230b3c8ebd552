// SPDX-License-Identifier: Apache-2.0
// Tells our kinds of documents, and their versions, apart by their "schema".
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace warpmark {

/// Throws UsageError unless `json` says that it is `expected` ("warpmark.result/1"): names the kind it is, or the newer
/// version.
void expect_kind(const nlohmann::json& json, std::string_view expected, std::string_view source);

/// Whether the first line of a text is the head of a journal of any version.
[[nodiscard]] bool is_journal(std::string_view text);

}  // namespace warpmark
