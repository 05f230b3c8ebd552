// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/render/page_parts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t most_named = 6;    // cases by name under one reason
constexpr std::size_t most_opened = 12;  // reasons or cases that stand open on the page

json letter_or_null(const Result& result, bool single) { return single ? json(nullptr) : json(result.letter); }

void add_status(json& row, Status status) {
  row["status"] = std::string(name_of(status));
  row["status_text"] = status_text(status);
}

json doubt_rows(const Result& result, bool single) {
  json rows = json::array();
  for (const CaseSummary& one : result.run.cases) {
    if (one.doubts.empty()) continue;
    json row{{"letter", letter_or_null(result, single)}, {"id", one.record().id}, {"lines", one.doubts}};
    add_status(row, one.status);
    if (one.status == Status::ok) row["status_text"] = "doubt";
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Often one reason, such as a type that the machine lacks, keeps dozens of cases from being measured.
json missing_rows(const Result& result, bool single) {
  std::vector<std::pair<Status, std::string>> order;
  std::map<std::pair<Status, std::string>, std::vector<std::string>> ids;
  for (const CaseSummary& one : result.run.cases) {
    if (one.measured()) continue;
    std::pair<Status, std::string> reason{one.status, reasons_text(one)};
    if (ids[reason].empty()) order.push_back(reason);
    ids[reason].push_back(one.record().id);
  }
  json rows = json::array();
  for (const auto& reason : order) {
    std::vector<std::string>& names = ids[reason];
    json row{{"letter", letter_or_null(result, single)},
             {"why", reason.second},
             {"count", count_text(names.size(), "case")},
             {"more", nullptr}};
    if (names.size() > most_named + 1) {
      row["more"] = std::to_string(names.size() - most_named);
      names.resize(most_named);
    }
    row["ids"] = names;
    add_status(row, reason.first);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void add_doubts(json& page, const std::vector<Result>& results) {
  page["doubts"] = page["missing"] = json::array();
  std::size_t missing = 0;
  for (const Result& result : results) {
    for (json& row : doubt_rows(result, results.size() == 1)) page["doubts"].push_back(std::move(row));
    for (json& row : missing_rows(result, results.size() == 1)) page["missing"].push_back(std::move(row));
    missing += result.run.missing;
  }
  page["doubt_count"] = page["doubts"].size();
  page["missing_count"] = missing;
  for (const char* list : {"doubts", "missing"}) {
    page[std::string("has_") + list] = !page[list].empty();
    page[std::string(list) + "_open"] = page[list].size() <= most_opened;
  }
}

}  // namespace warpmark
