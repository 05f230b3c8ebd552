// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/case_label.h"

#include <algorithm>
#include <variant>

#include "harness/core/printable.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

/// A word often says enough without its axis; a size of memory does.
std::string place_of(const std::string& axis, const AxisValue& value) {
  if (axis != "footprint") return axis + "=" + text_of(value);
  const auto* const bytes = std::get_if<std::int64_t>(&value);
  return bytes == nullptr ? text_of(value) : format_bytes(static_cast<double>(*bytes));
}

}  // namespace

std::string CaseLabel::text() const {
  std::string text = benchmark;
  for (const std::string* part : {&type, &at, &kernel})
    if (!part->empty()) text.append(" ").append(*part);
  return text;
}

CaseLabel label_of(const Record& record) {
  CaseLabel label{.benchmark = printable(record.benchmark),
                  .type = arithmetic_of(record),
                  .kernel = printable(record.at.kernel.variant)};
  for (const auto& [axis, value] : record.at.at) {
    if (!label.at.empty()) label.at += " ";
    label.at += printable(place_of(axis, value));
  }
  const std::string mode(name_of(record.at.mode));
  if (record.id.ends_with("/mode=" + mode)) label.kernel += " " + mode;
  return label;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view gap = "...";
  if (text.size() <= most) return std::string(text);
  if (most <= 2 * gap.size()) return std::string(text.substr(0, most));
  const std::size_t front = (most - gap.size()) / 2;
  const std::size_t back = most - gap.size() - front;
  return std::string(text.substr(0, front)).append(gap).append(text.substr(text.size() - back));
}

}  // namespace warpmark
