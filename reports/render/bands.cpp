// SPDX-License-Identifier: Apache-2.0
#include "reports/render/bands.h"

#include <algorithm>
#include <limits>
#include <string>

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double least_of_highest = 0.8;
constexpr std::size_t title_height = 20, band_height = 66, band_gap = 12;

bool has_limit(const json& rows, std::string_view kind) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const json& row) { return row["kind"] == kind && row.contains("limit"); });
}

/// An axis that followed readings which hardly move would make mountains of them.
double lowest_shown(const json& rows, std::string_view kind) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const json& row : rows) {
    if (row["kind"] != kind || !row.contains("value")) continue;
    low = std::min(low, row["value"].get<double>());
    high = std::max(high, row["value"].get<double>());
  }
  return std::min(low, least_of_highest * high);
}

}  // namespace

bool has_kind(const json& rows, std::string_view kind) {
  return std::any_of(rows.begin(), rows.end(), [&](const json& row) { return row["kind"] == kind; });
}

json layers_with_rows(const json& layers, const json& rows, std::span<const std::string_view> bands,
                      std::size_t& height) {
  json kept = json::array();
  for (const json& layer : layers) {
    const auto name = layer["name"].get<std::string>();
    const std::string kind = name.substr(0, name.find("_title"));
    if (!has_kind(rows, kind)) continue;
    kept.push_back(layer);
    if (std::find(bands.begin(), bands.end(), kind) == bands.end()) continue;
    json& y = kept.back()["encoding"]["y"];
    if (name != kind) {
      y["value"] = height + 10;
      continue;
    }
    // A band's title comes before it in the template, and its line after the limit: an empty layer has no extent, and
    // Vega warns of it.
    if (!has_limit(rows, kind)) kept.back()["layer"] = json::array({layer["layer"].back()});
    y["scale"]["domainMin"] = lowest_shown(rows, kind);
    y["scale"]["range"] = {height + title_height + band_height, height + title_height};
    height += title_height + band_height + band_gap;
  }
  return kept;
}

std::size_t height_without_gap(std::size_t height) { return height - band_gap; }

}  // namespace warpmark
