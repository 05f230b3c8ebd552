// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "embedded/reports_libraries.h"
#include "embedded/reports_pages.h"
#include "embedded/reports_scripts.h"
#include "reports/render/chart.h"
#include "reports/render/facts.h"
#include "reports/render/page_parts.h"
#include "reports/render/percentiles.h"
#include "reports/render/record_lines.h"
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

std::string where_text(const Document& document) {
  std::vector<std::string> parts;
  for (const char* pointer : {"/dmi/product_name", "/host/name"})
    if (auto text = text_at(document.machine, pointer)) parts.push_back(*std::move(text));
  if (auto text = text_at(document.run, "/started_at")) parts.push_back(time_text(*text));
  if (auto text = text_at(document.run, "/suite")) parts.push_back("suite " + *text);
  return fmt::format("{}", fmt::join(parts, "  ·  "));
}

std::string_view class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::clean: return "clean";
    case Outcome::doubtful: return "doubtful";
    default: return "bad";
  }
}

std::string_view class_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::keep: return "clean";
    case Judgement::give_back: return "bad";
    default: return "doubtful";
  }
}

json judgements_of(const Result& result) {
  json all = json::array();
  for (const DeviceVerdict& verdict : result.verdicts)
    all.push_back({{"word", std::string(name_of(verdict.judgement))},
                   {"judgement_class", std::string(class_of(verdict.judgement))},
                   {"line", verdict_line(verdict)},
                   {"reasons", verdict.reasons},
                   {"has_reasons", !verdict.reasons.empty()}});
  return all;
}

json verdict_of(const Result& result, bool single) {
  const Outcome outcome = outcome_of({result.run});
  json verdict{{"letter", nullptr},
               {"outcome", std::string(outcome_text(outcome))},
               {"outcome_class", std::string(class_of(outcome))},
               {"counts", measured_text(totals_of({result.run}))},
               {"judgements", judgements_of(result)},
               {"alerts", result.run.doubts},
               {"notes", result.run.notes},
               {"doubts", doubts_text(result.run)},
               {"has_doubts", std::any_of(result.run.cases.begin(), result.run.cases.end(),
                                          [](const CaseSummary& one) { return !one.doubts.empty(); })}};
  if (single) return verdict;
  verdict["letter"] = result.letter;
  verdict["name"] = result.name;
  verdict["where"] = where_text(*result.document);
  return verdict;
}

json heading_of(const std::vector<Result>& results) {
  const bool single = results.size() == 1;
  json page{{"single", single}, {"several", results.size() > 1}};
  page["heading"] =
      single ? results.front().name : fmt::format("{} side by side", count_text(results.size(), "result"));
  page["where"] = single
                      ? where_text(*results.front().document)
                      : "Each result is summed up by itself. A ratio is a result over the first, A: above 1 is better.";
  page["description"] = verdict_text(runs_of(results));
  page["title"] = "warpmark: " + page["heading"].get<std::string>();
  page["version"] = results.empty() ? "" : text_at(results.front().document->run, "/version").value_or("");
  page["verdicts"] = json::array();
  for (const Result& result : results) page["verdicts"].push_back(verdict_of(result, single));
  page["nothing"] = results.empty();
  return page;
}

/// Charts go to the page twice: their places and tables into the text, their specs into the data that the page reads.
json add_charts(json& page, const std::vector<Result>& results) {
  json specs = json::array();
  page["charts"] = json::array();
  std::vector<Chart> charts = charts_of(results);
  for (Chart& chart : percentile_charts(results)) charts.push_back(std::move(chart));
  for (const Chart& chart : charts) {
    const std::string id = fmt::format("chart-{}", specs.size() + 1);
    json place{{"id", id}, {"title", chart.title}, {"device", nullptr}, {"bars", chart.bars}, {"table", chart.table}};
    if (!chart.device.empty()) place["device"] = chart.device;
    page["charts"].push_back(std::move(place));
    specs.push_back({{"id", id}, {"spec", chart.spec}});
  }
  page["has_charts"] = !specs.empty();
  return specs;
}

void add_data(json& page, const json& specs, const std::vector<Result>& results) {
  page["charts_json"] = script_json(displayable(specs));
  page["record_lines"] = record_lines(results);
  json templates = json::object();
  for (const char* name : {"distribution", "order", "beside"})
    templates[name] = empty_template(fmt::format("{}.vl.json", name));
  page["templates_json"] = script_json(templates);
}

void add_code(json& page, bool draws) {
  page["css"] = page_named("report.css") + page_named("tables.css") + page_named("print.css");
  page["scripts"] = json::array();
  for (const embedded::File& file : embedded::reports_libraries())
    if (draws) page["scripts"].push_back(file.text);
  for (const embedded::File& file : embedded::reports_scripts()) page["scripts"].push_back(file.text);
}

}  // namespace

std::string html_report(std::span<const Document> documents, const ReportOptions& options) {
  const std::vector<Result> results = results_of(documents, options);
  json page = heading_of(results);
  add_machines(page, results);
  add_doubts(page, results);
  add_key_numbers(page, results);
  json specs = add_charts(page, results);
  add_steady(page, specs, results);
  add_strips(page, specs, results);
  add_case_table(page, results);
  add_record_table(page, results);
  page["provenance"] = json::array();
  for (const Result& result : results) {
    json part = provenance_of(result);
    part["heading"] = results.size() == 1 ? json(nullptr) : json(fmt::format("{}: {}", result.letter, result.name));
    page["provenance"].push_back(std::move(part));
  }
  page["result_letters"] = json::array();
  for (const Result& result : results) page["result_letters"].push_back(result.letter);
  add_data(page, specs, results);
  add_code(page, page["has_records"]);
  return fill_template(page_named("report.html"), page);
}

}  // namespace warpmark
