// SPDX-License-Identifier: Apache-2.0
// The rate of a case that ran for a given time, over its seconds, with clock, power and temperature below it and what
// held the clock down behind it; and a table of its parts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/render/result.h"

namespace warpmark {

struct SteadyStrip {
  std::string device{};
  std::string title{};  // "steady/gemm f16 cublaslt n=8192 seconds=15"
  std::string line{};   // harness/summary/steady.h
  std::string fall{};   // why it fell; empty where it did not
  bool heat = false;    // held down by heat or a hardware slowdown for a part of it
  bool limit = false;   // at its power limit
  nlohmann::json spec{};
  nlohmann::json table{};  // {heads: [text], rows: [{name, cells: [text]}]}
};

[[nodiscard]] std::vector<SteadyStrip> steady_strips_of(const Result& result);

}  // namespace warpmark
