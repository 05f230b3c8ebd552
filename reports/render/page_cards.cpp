// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/units.h"
#include "reports/render/facts.h"
#include "reports/render/page_parts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

json rows_of(const std::vector<Fact>& facts) {
  json rows = json::array();
  for (const Fact& fact : facts) rows.push_back({{"label", fact.label}, {"text", fact.text}});
  return rows;
}

/// "memory/triad, main memory" where the case has a named place, else "gemm f32, best of 5 cases".
std::string question_text(const Record& record, const Figure& figure, std::size_t of) {
  std::string place;
  for (const auto& [axis, value] : record.at.at)
    if (std::holds_alternative<std::string>(value)) place += ", " + axis_text(axis, value);
  if (place.empty() && of > 1) place = fmt::format(", best of {}", count_text(of, "case"));
  return fmt::format("{} of {} {}{}", title_of_metric(figure.name), record.benchmark, name_of(record.at.kernel.dtype),
                     place);
}

std::string spread_text(const CaseSummary& one, const Figure& figure) {
  if (one.usable == 1) return "one repeat";
  return fmt::format("{} over {} repeats", range_text(figure.low, figure.high, figure.unit), one.usable);
}

json key_number(const RunSummary& run, const KeyNumber& number, bool name_device) {
  const CaseSummary& one = run.cases[number.best];
  const Figure& figure = one.figures.front();
  const std::string text = format_value(figure.median, figure.unit);
  const std::size_t space = std::min(text.find(' '), text.size());
  json card{{"question", question_text(one.record(), figure, number.of)},
            {"amount", text.substr(0, space)},
            {"unit", text.substr(std::min(space + 1, text.size()))},
            {"spread", spread_text(one, figure)},
            {"source", figure.ceiling_source},
            {"best", (name_device ? one.record().device + ": " : "") + case_text(one.record())}};
  for (const char* absent : {"share", "width", "ceiling", "doubt"}) card[absent] = nullptr;
  card["status"] = std::string(name_of(one.status));
  if (!one.doubts.empty()) card["doubt"] = one.status == Status::ok ? "doubt" : std::string(status_text(one.status));
  if (!figure.share) return card;
  card["share"] = share_text(figure);
  card["width"] = fmt::format("{:.1f}", std::clamp(*figure.share * 100, 0.0, 100.0));
  card["ceiling"] = format_value(figure.ceiling.value_or(unknown_value), figure.unit);
  return card;
}

}  // namespace

void add_cards(json& page, const Document& document, const RunSummary& run) {
  page["machine"] = rows_of(machine_facts(document.machine));
  page["has_machine"] = !page["machine"].empty();
  page["devices"] = json::array();
  for (const json& device : document.devices)
    page["devices"].push_back({{"id", text_at(device, "/id").value_or("")},
                               {"name", device_name(device)},
                               {"facts", rows_of(device_facts(device))}});
  page["key_numbers"] = json::array();
  for (const KeyNumber& number : run.key_numbers)
    page["key_numbers"].push_back(key_number(run, number, document.devices.size() > 1));
  page["has_key_numbers"] = !run.key_numbers.empty();
}

void add_provenance(json& page, const Document& document, const std::string& source) {
  std::vector<Fact> facts = run_facts(document.run);
  if (!source.empty()) facts.insert(facts.begin(), {.label = "File", .text = source});
  page["run_facts"] = rows_of(facts);
  page["command"] = nullptr;
  if (std::string command = command_text(document.run); !command.empty()) page["command"] = std::move(command);

  page["ceilings"] = json::array();
  for (const json& device : document.devices) {
    if (!device.contains("ceilings") || !device["ceilings"].is_object()) continue;
    for (const auto& [name, ceiling] : device["ceilings"].items())
      page["ceilings"].push_back(
          {{"device", text_at(device, "/id").value_or("")},
           {"name", name},
           {"value", format_value(positive_at(ceiling, "/value"), text_at(ceiling, "/unit").value_or(""))},
           {"kind", text_at(ceiling, "/kind").value_or("unknown")},
           {"derivation", text_at(ceiling, "/derivation").value_or("")}});
  }
  page["libraries"] = json::array();
  page["denied"] = json::array();
  if (const json::json_pointer at("/software/libraries"); document.machine.contains(at))
    for (const json& library : document.machine.at(at))
      page["libraries"].push_back({{"name", text_at(library, "/name").value_or("")},
                                   {"version", text_at(library, "/version").value_or("unknown")},
                                   {"path", text_at(library, "/path").value_or("unknown")}});
  if (const json::json_pointer at("/denied"); document.machine.contains(at))
    for (const json& one : document.machine.at(at))
      page["denied"].push_back(
          {{"what", text_at(one, "/what").value_or("")}, {"why", text_at(one, "/why").value_or("")}});
  for (const char* list : {"ceilings", "libraries", "denied"}) page[std::string("has_") + list] = !page[list].empty();
  page["all_facts"] =
      rows_of(every_fact({{"machine", document.machine}, {"devices", document.devices}, {"run", document.run}}));
}

}  // namespace warpmark
