// SPDX-License-Identifier: Apache-2.0
// What of a machine is not known, for people: facts with the same reason together, those of alike GPUs once.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace warpmark {

/// `denied` of a machine card; empty where nothing is denied.
[[nodiscard]] std::string denied_block(const nlohmann::json& denied, std::size_t columns);

}  // namespace warpmark
