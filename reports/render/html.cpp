// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "embedded/reports_pages.h"
#include "embedded/reports_scripts.h"
#include "reports/render/chart.h"
#include "reports/render/facts.h"
#include "reports/render/page_parts.h"
#include "reports/render/report.h"
#include "reports/render/template.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::string page_named(std::string_view name) {
  for (const embedded::File& file : embedded::reports_pages())
    if (file.name == name) return std::string(file.text);
  throw std::logic_error(fmt::format("the program has no page {}", name));
}

std::string devices_text(const Document& document) {
  std::vector<std::string> names;
  for (const json& device : document.devices) {
    std::string name = device_name(device);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names.empty() ? "No device" : fmt::format("{}", fmt::join(names, ", "));
}

std::string where_text(const Document& document) {
  std::vector<std::string> parts;
  for (const char* pointer : {"/dmi/product_name", "/host/name"})
    if (auto text = text_at(document.machine, pointer)) parts.push_back(*std::move(text));
  if (auto text = text_at(document.run, "/started_at")) parts.push_back(time_text(*text));
  if (auto text = text_at(document.run, "/suite")) parts.push_back("suite " + *text);
  return fmt::format("{}", fmt::join(parts, "  ·  "));
}

std::string cases_note(const Totals& totals) {
  std::string note = totals.complete > 0 ? "in every repeat" : "";
  const auto add = [&note](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  if (totals.partial > 0) add(fmt::format("{} more in some repeats only", totals.partial));
  if (totals.missing > 0) add(fmt::format("{} not measured", totals.missing));
  return note;
}

json tiles_of(const Totals& totals, std::size_t first_with_doubts) {
  json cases{{"label", "Cases measured and verified"},
             {"value", fmt::format("{} of {}", totals.complete, totals.cases())}};
  const bool nothing = totals.complete + totals.partial == 0;
  cases["note"] = totals.cases() == 0 ? "the document holds no record" : cases_note(totals);
  json share{{"label", "Lowest share of a ceiling"}, {"value", "none"}};
  share["note"] = nothing ? "nothing was measured" : "no ceiling is known for what was measured";
  if (totals.lowest_share != nullptr) {
    share["value"] = share_text(totals.lowest_share->figures.front());
    share["note"] = "of the key numbers: " + full_case_text(totals.lowest_share->record());
  }
  json doubts{{"label", "Doubts"}, {"value", std::to_string(totals.doubts)}};
  doubts["note"] = totals.doubts > 0 ? "each is listed below with its reason"
                   : nothing         ? "there is no number to doubt"
                                     : "nothing speaks against a number";
  for (json* tile : {&cases, &share, &doubts}) (*tile)["link"] = nullptr;
  if (totals.doubts > 0) doubts["link"] = "#doubts-" + std::to_string(first_with_doubts);
  return json::array({std::move(cases), std::move(share), std::move(doubts)});
}

/// Charts go to the page twice: their places into the text, their specs into the data that the page's script reads.
void add_charts(json& part, json& specs, const Document& document, const RunSummary& run, std::size_t index) {
  part["charts"] = json::array();
  for (const json& device : document.devices) {
    for (const Chart& chart : charts_of(run, device)) {
      const std::string id = fmt::format("chart-{}-{}", index, part["charts"].size() + 1);
      json place{{"id", id}, {"title", chart.title}, {"device", nullptr}};
      if (document.devices.size() > 1)
        place["device"] = fmt::format("{}: {}", text_at(device, "/id").value_or(""), device_name(device));
      part["charts"].push_back(std::move(place));
      specs.push_back({{"id", id}, {"spec", chart.spec}});
    }
  }
  part["has_charts"] = !part["charts"].empty();
}

json alerts_of(std::span<const Document> documents, const std::vector<RunSummary>& runs) {
  json alerts = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const std::string& doubt : runs[i].doubts)
      alerts.push_back(documents.size() > 1 ? text_at(documents[i].run, "/id").value_or("a run") + ": " + doubt
                                            : doubt);
  return alerts;
}

json heading_of(std::span<const Document> documents, const std::vector<RunSummary>& runs) {
  const Outcome outcome = outcome_of(runs);
  const bool single = documents.size() == 1;
  json page{{"outcome_meaning", std::string(outcome_meaning(outcome))},
            {"verdict", verdict_text(runs)},
            {"outcome", std::string(outcome_text(outcome))}};
  page["outcome_class"] = outcome == Outcome::clean ? "clean" : outcome == Outcome::doubtful ? "doubtful" : "bad";
  page["heading"] = single ? devices_text(documents.front()) : count_text(documents.size(), "run");
  page["where"] =
      single ? where_text(documents.front()) : "Each run is shown by itself; nothing is averaged over runs.";
  page["title"] = "warpmark: " + page["heading"].get<std::string>();
  page["version"] = documents.empty() ? "" : text_at(documents.front().run, "/version").value_or("");
  const auto doubtful =
      std::find_if(runs.begin(), runs.end(), [](const RunSummary& run) { return run.doubt_count() > 0; });
  page["tiles"] = tiles_of(totals_of(runs), static_cast<std::size_t>(doubtful - runs.begin()) + 1);
  page["alerts"] = alerts_of(documents, runs);
  return page;
}

json part_of(const Document& document, const RunSummary& run, const std::string& source, std::size_t index,
             bool single) {
  json part{{"index", index}, {"run_heading", nullptr}};
  if (!single) part["run_heading"] = fmt::format("{}. {}", index, devices_text(document));
  part["run_where"] = where_text(document) + ". " + verdict_text({run});
  add_cards(part, document, run);
  add_tables(part, run);
  add_provenance(part, document, source);
  return part;
}

}  // namespace

std::string html_report(std::span<const Document> documents, const ReportOptions& options) {
  std::vector<RunSummary> runs;
  for (const Document& document : documents) runs.push_back(summarise(document));

  json page = heading_of(documents, runs);
  json specs = json::array();
  page["runs"] = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    json part =
        part_of(documents[i], runs[i], i < options.sources.size() ? options.sources[i] : "", i + 1, runs.size() == 1);
    add_charts(part, specs, documents[i], runs[i], i + 1);
    page["runs"].push_back(std::move(part));
  }
  page["css"] = page_named("report.css");
  page["charts_json"] = script_json(specs);
  page["has_any_chart"] = !specs.empty();
  page["scripts"] = json::array();
  for (const embedded::File& file : embedded::reports_scripts()) page["scripts"].push_back(file.text);
  page["scripts"].push_back(page_named("report.js"));
  return fill_template(page_named("report.html"), page);
}

}  // namespace warpmark
