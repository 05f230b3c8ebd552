// SPDX-License-Identifier: Apache-2.0
// Places in a card ("gpus.0.ecc.on"): which are null, which differ between two cards, and what `denied` says of them.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace warpmark {

inline std::string place_in(const std::string& place, const std::string& name) {
  return place.empty() ? name : place + '.' + name;
}

inline void add_nulls(const nlohmann::json& value, const std::string& place, std::vector<std::string>& nulls) {
  if (value.is_null()) nulls.push_back(place);
  if (!value.is_structured()) return;
  for (const auto& [name, inner] : value.items()) add_nulls(inner, place_in(place, name), nulls);
}

/// Why a place is null: the reason under it, or under one that holds it; empty where there is none.
inline std::string reason_for(const nlohmann::json& denied, std::string place) {
  while (!place.empty()) {
    for (const nlohmann::json& entry : denied)
      if (entry.at("what") == place) return entry.at("why").get<std::string>();
    const std::size_t dot = place.rfind('.');
    place.resize(dot == std::string::npos ? 0 : dot);
  }
  return "";
}

inline std::vector<std::string> places_of_unexplained_nulls(const nlohmann::json& card, const nlohmann::json& denied) {
  std::vector<std::string> nulls;
  add_nulls(card, "", nulls);
  std::erase_if(nulls, [&](const std::string& place) { return !reason_for(denied, place).empty(); });
  return nulls;
}

/// Innermost places whose values differ; of an object that one has and the other has not, its own.
inline std::vector<std::string> places_that_differ(const nlohmann::json& a, const nlohmann::json& b,
                                                   const std::string& place = "") {
  if (a == b) return {};
  if (a.type() != b.type() || !a.is_structured()) return {place};
  std::set<std::string> names;
  for (const nlohmann::json* each : {&a, &b})
    for (const auto& [name, value] : each->items()) names.insert(name);
  std::vector<std::string> places;
  for (const std::string& name : names) {
    const auto in = [&](const nlohmann::json& holder) {
      if (holder.is_object()) return holder.value(name, nlohmann::json());
      const std::size_t i = std::stoul(name);
      return i < holder.size() ? holder[i] : nlohmann::json();
    };
    const auto inner = places_that_differ(in(a), in(b), place_in(place, name));
    places.insert(places.end(), inner.begin(), inner.end());
  }
  return places;
}

}  // namespace warpmark
