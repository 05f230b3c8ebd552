// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "harness/core/units.h"
#include "reports/render/page_parts.h"

namespace warpmark {
namespace {

using nlohmann::json;

json ceilings_of(const Document& document) {
  json rows = json::array();
  for (const json& device : document.devices) {
    if (!device.contains("ceilings") || !device["ceilings"].is_object()) continue;
    for (const auto& [name, ceiling] : device["ceilings"].items())
      rows.push_back({{"device", text_at(device, "/id").value_or("")},
                      {"name", name},
                      {"value", format_value(positive_at(ceiling, "/value"), text_at(ceiling, "/unit").value_or(""))},
                      {"kind", text_at(ceiling, "/kind").value_or("unknown")},
                      {"derivation", text_at(ceiling, "/derivation").value_or("")}});
  }
  return rows;
}

json libraries_of(const json& machine) {
  json rows = json::array();
  const json::json_pointer at("/software/libraries");
  if (!machine.contains(at)) return rows;
  for (const json& library : machine.at(at))
    rows.push_back({{"name", text_at(library, "/name").value_or("")},
                    {"version", text_at(library, "/version").value_or("unknown")},
                    {"path", text_at(library, "/path").value_or("unknown")}});
  return rows;
}

json denied_of(const json& machine) {
  json rows = json::array();
  const json::json_pointer at("/denied");
  if (!machine.contains(at)) return rows;
  for (const json& one : machine.at(at))
    rows.push_back({{"what", text_at(one, "/what").value_or("")}, {"why", text_at(one, "/why").value_or("")}});
  return rows;
}

}  // namespace

json provenance_of(const Result& result) {
  const Document& document = *result.document;
  std::vector<Fact> facts = run_facts(document.run);
  if (!result.source.empty()) facts.insert(facts.begin(), {.label = "File", .text = result.source});
  json part{{"run_facts", rows_of(facts)},
            {"command", nullptr},
            {"ceilings", ceilings_of(document)},
            {"libraries", libraries_of(document.machine)},
            {"denied", denied_of(document.machine)}};
  if (std::string command = command_text(document.run); !command.empty()) part["command"] = std::move(command);
  for (const char* list : {"ceilings", "libraries", "denied"}) part[std::string("has_") + list] = !part[list].empty();
  part["all_facts"] =
      rows_of(every_fact({{"machine", document.machine}, {"devices", document.devices}, {"run", document.run}}));
  return part;
}

}  // namespace warpmark
