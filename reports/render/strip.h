// SPDX-License-Identifier: Apache-2.0
// Clock, power and temperature of a device over a run, as a strip of bands that share their axis of time, and a table
// of the same.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/render/result.h"

namespace warpmark {

struct Strip {
  std::string letter{};       // of the result
  std::string device{};       // its id
  std::string title{};        // "Clock, power and temperature"
  std::string description{};  // for those who cannot see it
  std::string note{};         // how far it was thinned; empty where it was not
  bool heat = false;          // some records were held down by heat or a hardware slowdown
  bool limit = false;         // some were at the power limit
  nlohmann::json spec{};
  nlohmann::json table{};  // {heads: [text], rows: [{name, cells: [text]}]}
};

/// One for each device of which a series was read.
[[nodiscard]] std::vector<Strip> strips_of(const Result& result);

}  // namespace warpmark
