// SPDX-License-Identifier: Apache-2.0
// The only file that includes valijson, which takes long to compile.
#include "harness/store/schema_check.h"

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "embedded/schemas.h"
#include "harness/store/schema_explain.h"

namespace warpmark {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// "result.schema.json#/$defs/run" becomes "#/$defs/run": valijson would fetch the other file.
void make_references_local(json& schema) {
  if (schema.is_object()) {
    if (const auto reference = schema.find("$ref"); reference != schema.end() && reference->is_string()) {
      const auto text = reference->get<std::string>();
      *reference = text.substr(text.find('#'));
    }
  }
  if (schema.is_structured())
    for (json& child : schema) make_references_local(child);
}

/// The $defs of all schemas in one. A name that occurs twice is a mistake in the schemas.
const json& definitions() {
  static const json all = [] {
    json merged = json::object();
    for (const embedded::File& file : embedded::schemas()) {
      json schema = json::parse(file.text);
      make_references_local(schema);
      for (auto& [name, definition] : schema.at("$defs").items())
        if (!merged.emplace(name, std::move(definition)).second) throw std::logic_error("two schemas define " + name);
    }
    return merged;
  }();
  return all;
}

/// Parsed once per part and program.
const valijson::Schema& compiled(std::string_view part) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<valijson::Schema>, std::less<>> schemas;
  const std::lock_guard lock(guard);
  const auto found = schemas.find(part);
  if (found != schemas.end()) return *found->second;
  const std::string name(part);
  if (!definitions().contains(name)) throw std::logic_error("no schema defines " + name);
  const json root{{"$ref", "#/$defs/" + name}, {"$defs", definitions()}};
  auto schema = std::make_unique<valijson::Schema>();
  valijson::SchemaParser().populateSchema(Adapter(root), *schema);
  return *schemas.emplace(name, std::move(schema)).first->second;
}

/// valijson's "<root>", "[records]", "[3]" as keys.
std::vector<std::string> path_of(const std::vector<std::string>& context) {
  std::vector<std::string> path;
  for (std::size_t i = 1; i < context.size(); ++i) path.push_back(context[i].substr(1, context[i].size() - 2));
  return path;
}

}  // namespace

std::string pointer_to(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : key) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

std::optional<Violation> schema_violation(std::string_view part, const json& value) {
  const valijson::Schema& schema = compiled(part);
  valijson::Validator validator;
  const Adapter adapter(value);
  // Without a list of results valijson stops at the first; with one it goes on and copies a path per error.
  if (validator.validate(schema, adapter, nullptr)) return std::nullopt;
  valijson::ValidationResults results;
  validator.validate(schema, adapter, &results);
  valijson::ValidationResults::Error first;
  if (!results.popError(first)) return Violation{.pointer = "", .what = "does not fit the schema"};
  const std::vector<std::string> path = path_of(first.context);
  Violation violation{.pointer = "", .what = explain_violation(definitions(), part, value, path)};
  for (const std::string& key : path) violation.pointer = pointer_to(violation.pointer, key);
  if (violation.what.empty()) violation.what = first.description;
  return violation;
}

}  // namespace warpmark
