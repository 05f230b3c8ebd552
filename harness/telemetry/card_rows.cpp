// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/card_rows.h"

#include <fmt/format.h>

#include <sstream>

#include "harness/core/printable.h"
#include "harness/core/units.h"

namespace warpmark::shown {

using nlohmann::json;

const json& at(const json& object, const char* pointer) {
  static const json none;
  const json::json_pointer place(pointer);
  return object.contains(place) ? object[place] : none;
}

std::string text(const json& object, const char* pointer, const char* otherwise) {
  const json& value = at(object, pointer);
  return value.is_string() ? printable(value.get_ref<const std::string&>()) : otherwise;
}

std::optional<double> number(const json& object, const char* pointer) {
  const json& value = at(object, pointer);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<bool> flag(const json& object, const char* pointer) {
  const json& value = at(object, pointer);
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

std::string counted(double count, std::string_view singular) {
  const bool is_s = singular.ends_with('s');
  return fmt::format("{:.0f} {}{}", count, singular, count == 1 ? "" : is_s ? "es" : "s");
}

void add_count(std::vector<std::string>& parts, const json& object, const char* pointer, std::string_view singular) {
  const auto value = number(object, pointer);
  if (value) parts.push_back(counted(*value, singular));
}

std::vector<std::string> or_unknown(std::vector<std::string> parts) {
  if (parts.empty()) parts.emplace_back("unknown");
  return parts;
}

std::string size(const json& object, const char* pointer) {
  return format_bytes(number(object, pointer).value_or(unknown_value));
}

std::vector<std::string> words_of(const std::string& sentence) {
  std::vector<std::string> parts;
  std::istringstream stream(sentence);
  for (std::string word; stream >> word;) parts.push_back(word);
  return parts;
}

std::string wrapped(const std::vector<std::string>& parts, const std::string& glue, std::size_t indent,
                    std::size_t columns) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? glue : "");
    if (indent + part.size() <= columns) {
      pieces.push_back(part);
      continue;
    }
    for (const std::string& word : words_of(part)) pieces.push_back(word + " ");
  }
  std::string lines;
  std::size_t column = indent;
  for (const std::string& part : pieces) {
    if (column > indent && column + part.size() - (part.ends_with(' ') ? 1 : 0) > columns) {
      while (lines.ends_with(' ')) lines.pop_back();
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    }
    lines += part;
    column += part.size();
  }
  while (lines.ends_with(' ')) lines.pop_back();
  return lines;
}

void Rows::add(const std::string& label, const std::vector<std::string>& parts, const std::string& glue) {
  constexpr std::size_t value_column = 16;
  if (parts.empty()) return;
  if (columns_ < narrow_columns) {
    text_ += fmt::format("  {}\n      {}\n", label, wrapped(parts, glue, 6, columns_));
  } else {
    text_ += fmt::format("  {:<{}}{}\n", label, value_column - 2, wrapped(parts, glue, value_column, columns_));
  }
}

}  // namespace warpmark::shown
