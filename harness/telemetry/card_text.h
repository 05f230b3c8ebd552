// SPDX-License-Identifier: Apache-2.0
// The machine card and its devices for people: `warpmark info`. Printable ASCII only, whatever the names hold.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpmark {

/// `machine` from machine_card() and the `devices` of a result document; what is missing or of another type is shown as
/// unknown. No line is wider than `columns`, where words allow it.
[[nodiscard]] std::string card_text(const nlohmann::json& machine, const nlohmann::json& devices,
                                    std::size_t columns = 100);

}  // namespace warpmark
