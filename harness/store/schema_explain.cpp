// SPDX-License-Identifier: Apache-2.0
#include "harness/store/schema_explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/core/nearest.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

using nlohmann::json;

const json& resolved(const json& definitions, const json& schema) {
  const json* at = &schema;
  while (at->is_object() && at->contains("$ref")) {
    const auto reference = at->at("$ref").get<std::string>();
    at = &definitions.at(reference.substr(reference.rfind('/') + 1));
  }
  return *at;
}

/// The schema and the schemas of its allOf: all of them speak about the same value.
std::vector<const json*> parts_of(const json& definitions, const json& schema) {
  const json& top = resolved(definitions, schema);
  std::vector<const json*> parts{&top};
  if (top.is_object() && top.contains("allOf"))
    for (const json& branch : top.at("allOf")) parts.push_back(&resolved(definitions, branch));
  return parts;
}

/// The schema of the entry `key`, or null where anything goes.
const json* child_of(const json& definitions, const json& schema, const std::string& key, bool in_array) {
  for (const json* part : parts_of(definitions, schema)) {
    if (!part->is_object()) continue;
    if (in_array && part->contains("items")) return &part->at("items");
    if (in_array) continue;
    const json properties = part->value("properties", json::object());
    if (properties.contains(key) && properties.at(key).is_object()) return &part->at("properties").at(key);
    const auto others = part->find("additionalProperties");
    if (!properties.contains(key) && others != part->end() && others->is_object()) return &*others;
  }
  return nullptr;
}

const json* entry_of(const json& value, const std::string& key) {
  if (value.is_object()) {
    const auto found = value.find(key);
    return found == value.end() ? nullptr : &*found;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  const bool is_index = error == std::errc() && end == key.data() + key.size();
  return value.is_array() && is_index && index < value.size() ? &value[index] : nullptr;
}

bool has_type(const json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return value.is_null();
}

std::string with_article(const std::string& type) {
  if (type == "null") return type;
  return (type == "object" || type == "array" || type == "integer" ? "an " : "a ") + type;
}

std::string type_trouble(const json& schema, const json& value) {
  if (!schema.contains("type")) return "";
  const json& named = schema.at("type");
  std::string expected;
  for (const json& type : named.is_array() ? named : json::array({named})) {
    if (has_type(value, type.get<std::string>())) return "";
    expected += (expected.empty() ? "" : " or ") + with_article(type.get<std::string>());
  }
  return fmt::format("expected {}, found {}", expected, shown(value));
}

std::string choice_trouble(const json& schema, const json& value) {
  const json choices =
      schema.contains("const") ? json::array({schema.at("const")}) : schema.value("enum", json::array());
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return "";
  std::string expected;
  for (const json& choice : choices) expected += (expected.empty() ? "" : ", ") + choice.get<std::string>();
  return fmt::format("expected {}{}, found {}", choices.size() > 1 ? "one of " : "", expected, shown(value));
}

std::string range_trouble(const json& schema, const json& value) {
  if (!value.is_number()) return "";
  const auto number = value.get<double>();
  const auto breaks = [&](const char* keyword, auto compare) {
    return schema.contains(keyword) && compare(number, schema.at(keyword).get<double>());
  };
  const auto say = [&](const char* words, const char* keyword) {
    return fmt::format("expected {} {}, found {}", words, shown(schema.at(keyword)), shown(value));
  };
  if (breaks("minimum", std::less<>())) return say("at least", "minimum");
  if (breaks("exclusiveMinimum", std::less_equal<>())) return say("more than", "exclusiveMinimum");
  if (breaks("maximum", std::greater<>())) return say("at most", "maximum");
  return "";
}

std::string length_trouble(const json& schema, const json& value) {
  if (value.is_array() && value.size() < schema.value("minItems", std::size_t{0})) return "expected at least one entry";
  if (!value.is_string()) return "";
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty() && schema.value("minLength", 0) > 0) return "expected a text, found an empty one";
  if (schema.contains("maxLength") && text.size() > schema.at("maxLength").get<std::size_t>())
    return fmt::format("expected at most {} characters, found {}", schema.at("maxLength").get<int>(), text.size());
  return "";
}

std::string key_trouble(const json& schema, const json& value) {
  if (!value.is_object()) return "";
  const json properties = schema.value("properties", json::object());
  if (schema.value("additionalProperties", json(true)) == json(false)) {
    std::vector<std::string> known;
    for (const auto& [key, unused] : properties.items()) known.push_back(key);
    for (const auto& [key, unused] : value.items())
      if (!properties.contains(key))
        return fmt::format("unknown key {}; the nearest known one is {}", shown(key), shown(nearest(key, known)));
  }
  for (const json& key : schema.value("required", json::array()))
    if (!value.contains(key.get<std::string>())) return fmt::format("the key {} is missing", shown(key));
  return "";
}

}  // namespace

std::string explain_violation(const json& definitions, std::string_view part, const json& value,
                              const std::vector<std::string>& path) {
  const json* schema = &definitions.at(std::string(part));
  const json* at = &value;
  for (const std::string& key : path) {
    schema = child_of(definitions, *schema, key, at->is_array());
    at = entry_of(*at, key);
    if (schema == nullptr || at == nullptr) return "";
  }
  for (const json* each : parts_of(definitions, *schema)) {
    if (!each->is_object()) continue;
    for (const auto trouble : {type_trouble, choice_trouble, range_trouble, length_trouble, key_trouble})
      if (std::string words = trouble(*each, *at); !words.empty()) return words;
  }
  return "";
}

}  // namespace warpmark
