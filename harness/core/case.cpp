// SPDX-License-Identifier: Apache-2.0
#include "harness/core/case.h"

#include <stdexcept>

namespace warpmark {

std::string text_of(const AxisValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return std::get<std::string>(value);
}

std::string_view name_of(Mode mode) { return mode == Mode::isolated ? "isolated" : "batch"; }

const AxisValue& Case::operator[](std::string_view axis) const {
  for (const auto& [name, value] : at)
    if (name == axis) return value;
  throw std::out_of_range("the case has no axis " + std::string(axis));
}

std::int64_t Case::integer(std::string_view axis) const { return std::get<std::int64_t>((*this)[axis]); }

}  // namespace warpmark
