// SPDX-License-Identifier: Apache-2.0
#include "reports/render/template.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <stdexcept>

#include "harness/core/printable.h"

namespace warpmark {
namespace {

namespace mustache = kainjow::mustache;
using nlohmann::json;

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool lays_out(char c) { return c == '\t' || c == '\n'; }

mustache::data data_of(const json& value) {
  if (value.is_null()) return mustache::data(false);  // not left out: the template would look for the name further out
  if (value.is_boolean()) return mustache::data(value.get<bool>());
  if (value.is_string()) return mustache::data(value.get<std::string>());
  if (value.is_number()) return mustache::data(value.dump());
  if (value.is_array()) {
    mustache::data list(mustache::data::type::list);
    for (const json& each : value) list.push_back(data_of(each));
    return list;
  }
  mustache::data object(mustache::data::type::object);
  for (const auto& [name, each] : value.items()) object[name] = data_of(each);
  return object;
}

}  // namespace

std::string without_steering(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t steering = lays_out(text.front()) ? 0 : steering_length(text);
    if (steering > 0)
      safe += replacement;
    else
      safe += text.front();
    text.remove_prefix(std::max<std::size_t>(steering, 1));
  }
  return safe;
}

std::string html_text(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : without_steering(text)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string fill_template(std::string_view text, const json& values) {
  mustache::mustache filled{std::string(text)};
  if (!filled.is_valid()) throw std::logic_error("template: " + filled.error_message());
  filled.set_custom_escape([](const std::string& raw) { return html_text(raw); });
  std::string page = filled.render(data_of(values));
  if (!filled.is_valid()) throw std::logic_error("template: " + filled.error_message());
  return page;
}

json displayable(json values) {
  if (values.is_string()) return without_steering(values.get_ref<const std::string&>());
  if (values.is_structured())
    for (json& each : values) each = displayable(std::move(each));
  return values;
}

std::string script_json(const json& value) {
  const std::string raw = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string safe;
  safe.reserve(raw.size());
  for (const char c : raw) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace warpmark
