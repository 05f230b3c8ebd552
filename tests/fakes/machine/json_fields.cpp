// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/json_fields.h"

#include <cmath>
#include <limits>
#include <regex>

#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

std::string in_ascii(const std::string& text) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

JsonFields::JsonFields(const nlohmann::json& object, std::string place) : object_(object), place_(std::move(place)) {
  if (!object_.is_object()) throw BadScenario(place_ + " is no object");
}

bool JsonFields::has(const std::string& key) {
  known_.insert(key);
  return object_.contains(key);
}

const nlohmann::json& JsonFields::at(const std::string& key) {
  if (!has(key)) refuse(key, "is missing");
  return object_.at(key);
}

std::string JsonFields::text(const std::string& key) {
  const auto& value = at(key);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) refuse(key, "is no text");
  return value.get<std::string>();
}

std::string JsonFields::text_like(const std::string& key, const char* form) {
  std::string value = text(key);
  if (!std::regex_match(value, std::regex(form))) refuse(key, "is not of the form " + std::string(form));
  return value;
}

bool JsonFields::yes_or_no(const std::string& key) {
  const auto& value = at(key);
  if (!value.is_boolean()) refuse(key, "is neither true nor false");
  return value.get<bool>();
}

double JsonFields::number(const std::string& key, double least) {
  const auto& value = at(key);
  if (!value.is_number()) refuse(key, "is no number");
  const auto number = value.get<double>();
  if (!std::isfinite(number) || number < least) refuse(key, "is not at least " + std::to_string(least));
  return number;
}

double JsonFields::positive(const std::string& key) {
  const double value = number(key, 0);
  if (value <= 0) refuse(key, "is not more than 0");
  return value;
}

std::int64_t JsonFields::whole(const std::string& key, std::int64_t least) {
  const auto& value = at(key);
  if (!value.is_number_integer()) refuse(key, "is no whole number");
  const auto number = value.get<std::int64_t>();
  if (number < least) refuse(key, "is not at least " + std::to_string(least));
  return number;
}

int JsonFields::count(const std::string& key, int least) {
  const std::int64_t number = whole(key, least);
  if (number > std::numeric_limits<int>::max()) refuse(key, "is too large");
  return static_cast<int>(number);
}

JsonFields JsonFields::object(const std::string& key) { return {at(key), place_ + "." + in_ascii(key)}; }

std::vector<JsonFields> JsonFields::objects(const std::string& key) {
  const auto& values = at(key);
  if (!values.is_array()) refuse(key, "is no list");
  std::vector<JsonFields> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.emplace_back(values[i], place_ + "." + key + "[" + std::to_string(i) + "]");
  return all;
}

std::vector<std::string> JsonFields::texts(const std::string& key) {
  const auto& values = at(key);
  if (!values.is_array()) refuse(key, "is no list");
  std::vector<std::string> all;
  for (const auto& value : values) {
    if (!value.is_string()) refuse(key, "is no list of texts");
    all.push_back(value.get<std::string>());
  }
  return all;
}

std::vector<int> JsonFields::counts(const std::string& key) {
  const auto& values = at(key);
  if (!values.is_array()) refuse(key, "is no list");
  std::vector<int> all;
  for (const auto& value : values) {
    if (!value.is_number_integer() || value < 0 || value > std::numeric_limits<int>::max())
      refuse(key, "is no list of whole numbers");
    all.push_back(value.get<int>());
  }
  return all;
}

std::vector<std::pair<std::string, JsonFields>> JsonFields::each_object() {
  std::vector<std::pair<std::string, JsonFields>> all;
  for (const auto& field : object_.items()) all.emplace_back(field.key(), object(field.key()));
  return all;
}

void JsonFields::refuse_others() const {
  for (const auto& field : object_.items())
    if (!known_.contains(field.key())) refuse(field.key(), "is unknown");
}

void JsonFields::refuse(const std::string& key, const std::string& why) const {
  throw BadScenario(place_ + ": '" + in_ascii(key) + "' " + why);
}

}  // namespace warpmark::fakes
