// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/band_units.h"

#include <array>
#include <cmath>
#include <utility>

namespace warpmark {
namespace {

constexpr std::array<std::string_view, 4> rates{"B/s", "FLOP/s", "OP/s", "Hz"};
constexpr std::array<std::pair<char, double>, 5> larger{{{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}, {'P', 1e15}}};
constexpr std::array<std::pair<std::string_view, double>, 4> times{
    {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};

}  // namespace

double BandUnit::of(double number) const {
  return factor < 1 ? number / std::round(1 / factor) : number * factor;  // a part of ten is no double
}

std::optional<BandUnit> band_unit_named(std::string_view name) {
  for (const auto& [time, factor] : times)
    if (name == time) return BandUnit{.factor = factor, .metric = "s"};
  for (const std::string_view rate : rates) {
    if (name == rate) return BandUnit{.factor = 1, .metric = std::string(rate)};
    for (const auto& [prefix, factor] : larger)
      if (name.size() == rate.size() + 1 && name.front() == prefix && name.substr(1) == rate)
        return BandUnit{.factor = factor, .metric = std::string(rate)};
  }
  return std::nullopt;
}

}  // namespace warpmark
