// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "reports/render/gpu_facts.h"
#include "reports/render/page_parts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// Everything about the machine, its devices and its software that can differ between results.
std::vector<Fact> compared_facts(const Result& result) {
  std::vector<Fact> facts;
  if (!result.source.empty()) facts.push_back({.label = "File", .text = result.source});
  const json& run = result.document->run;
  facts.push_back({.label = "Started", .text = time_text(text_at(run, "/started_at").value_or("unknown"))});
  for (const char* name : {"suite", "version"})
    if (auto text = text_at(run, std::string("/") + name))
      facts.push_back({.label = name == std::string("suite") ? "Suite" : "warpmark", .text = *std::move(text)});
  const std::vector<Fact> machine = identity_facts(*result.document);
  facts.insert(facts.end(), machine.begin(), machine.end());
  for (const json& device : result.document->devices) {
    const std::string id = text_at(device, "/id").value_or("");
    facts.push_back({.label = "Device " + id, .text = device_name(device)});
    for (const Fact& fact : device_facts(device)) facts.push_back({.label = id + " " + fact.label, .text = fact.text});
  }
  return facts;
}

std::string text_of_label(const std::vector<Fact>& facts, const std::string& label) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& each) { return each.label == label; });
  return found == facts.end() ? "" : found->text;
}

void add_labels(const std::vector<Fact>& facts, std::vector<std::string>& labels) {
  auto place = labels.begin();
  for (const Fact& fact : facts) {
    const auto found = std::find(labels.begin(), labels.end(), fact.label);
    // A fact that only this result has stands where it stands there, not at the end.
    place = found == labels.end() ? labels.insert(place, fact.label) : found;
    ++place;
  }
}

json compared(const std::vector<Result>& results) {
  std::vector<std::vector<Fact>> facts;
  std::vector<std::string> labels;
  for (const Result& result : results) {
    facts.push_back(compared_facts(result));
    add_labels(facts.back(), labels);
  }
  json rows = json::array();
  for (const std::string& label : labels) {
    json cells = json::array();
    for (const auto& each : facts) cells.push_back(text_of_label(each, label));
    const bool differs = std::any_of(cells.begin(), cells.end(), [&](const json& cell) { return cell != cells[0]; });
    rows.push_back({{"label", label}, {"cells", std::move(cells)}, {"differs", differs}});
  }
  return rows;
}

}  // namespace

json rows_of(const std::vector<Fact>& facts) {
  json rows = json::array();
  for (const Fact& fact : facts) rows.push_back({{"label", fact.label}, {"text", fact.text}});
  return rows;
}

void add_machines(json& page, const std::vector<Result>& results) {
  page["machine"] = page["devices"] = page["machines"] = json::array();
  if (results.size() == 1) {
    const Document& document = *results.front().document;
    page["machine"] = rows_of(identity_facts(document));
    for (const json& device : document.devices)
      page["devices"].push_back({{"id", text_at(device, "/id").value_or("")},
                                 {"name", device_name(device)},
                                 {"facts", rows_of(device_facts(device))}});
  } else {
    page["machines"] = compared(results);
  }
  page["has_machine"] = !page["machine"].empty();
}

}  // namespace warpmark
