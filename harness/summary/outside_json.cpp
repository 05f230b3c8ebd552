// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/outside_json.h"

#include <cmath>

namespace warpmark {

using nlohmann::json;

const json& part_of(const json& object, std::string_view key) {
  static const json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::optional<double> number_in(const json& object, std::string_view key) {
  const json& found = part_of(object, key);
  if (!found.is_number()) return std::nullopt;
  const double value = found.get<double>();
  return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string text_in(const json& object, std::string_view key) {
  const json& found = part_of(object, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

}  // namespace warpmark
