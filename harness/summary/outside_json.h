// SPDX-License-Identifier: Apache-2.0
// Members of JSON from outside, any of which may be missing, of another type or no sensible number.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark {

/// The member; null where the object has none or is no object.
[[nodiscard]] const nlohmann::json& part_of(const nlohmann::json& object, std::string_view key);
/// A member that is a finite number of 0 or more.
[[nodiscard]] std::optional<double> number_in(const nlohmann::json& object, std::string_view key);
/// A member that is a text; else an empty one.
[[nodiscard]] std::string text_in(const nlohmann::json& object, std::string_view key);

}  // namespace warpmark
