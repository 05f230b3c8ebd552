// SPDX-License-Identifier: Apache-2.0
// What templates of bands share: one below another on one axis of time, of those that have something to draw.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace warpmark {

[[nodiscard]] bool has_kind(const nlohmann::json& rows, std::string_view kind);

/// The layers that are named for a kind of row, and the titles of bands, where there is such a row. A band is a layer
/// whose name is among `bands`; it is put below `height`, which grows with it.
[[nodiscard]] nlohmann::json layers_with_rows(const nlohmann::json& layers, const nlohmann::json& rows,
                                              std::span<const std::string_view> bands, std::size_t& height);

/// The height of a chart whose bands ended there.
[[nodiscard]] std::size_t height_without_gap(std::size_t height);

}  // namespace warpmark
