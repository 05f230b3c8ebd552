// SPDX-License-Identifier: Apache-2.0
// The machine card and its devices for people: `warpmark info`. Printable ASCII only, whatever the names hold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpmark {

/// `machine` from machine_card() and the `devices` of a result document; what is missing or of another type is shown as
/// unknown.
[[nodiscard]] std::string card_text(const nlohmann::json& machine, const nlohmann::json& devices);

}  // namespace warpmark
