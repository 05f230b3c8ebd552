// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/cli/console.h"
#include "harness/core/units.h"
#include "harness/stats/order.h"

namespace warpmark {
namespace {

/// One case over its repeats.
struct Row {
  std::string id{};
  std::vector<double> values{};
  std::vector<double> shares{};
  std::string unit{};
  Status worst = Status::ok;
  std::string why{};
};

Row& row_of(std::vector<Row>& rows, const std::string& id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.id == id; });
  if (found != rows.end()) return *found;
  rows.push_back(Row{.id = id});
  return rows.back();
}

std::vector<Row> rows_of(const Document& document) {
  std::vector<Row> rows;
  for (const Record& record : document.records) {
    Row& row = row_of(rows, record.id);
    if (record.status != Status::ok && row.worst == Status::ok) {
      row.worst = record.status;
      row.why = record.why;
    }
    if (record.metrics.empty()) continue;
    row.values.push_back(record.metrics.front().value);
    row.unit = record.metrics.front().unit;
    if (record.metrics.front().of_ceiling) row.shares.push_back(*record.metrics.front().of_ceiling);
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
  return rows;
}

}  // namespace

std::string summary_table(const Document& document, const Terminal& terminal) {
  const std::vector<Row> rows = rows_of(document);
  std::size_t width = 4;
  for (const Row& row : rows) width = std::max(width, row.id.size());
  std::string text = terminal.inked(
      fmt::format("{:<{}}  {:>12}  {:>8}  {:>10}  status\n", "case", width, "median", "spread", "of ceiling"),
      Ink::strong);
  std::size_t measured_cases = 0;
  for (const Row& row : rows) {
    const bool any = !row.values.empty();
    measured_cases += any ? 1 : 0;
    const std::vector<double> ascending = sorted(row.values);
    text += fmt::format("{:<{}}  {:>12}  {:>8}  {:>10}  {}\n", row.id, width,
                        any ? format_rate(median(ascending), row.unit) : "-",
                        any ? format_percent((ascending.back() - ascending.front()) / median(ascending)) : "-",
                        row.shares.empty() ? "-" : format_percent(median(sorted(row.shares))), name_of(row.worst));
  }
  return text + fmt::format("{} of {} cases measured and verified\n", measured_cases, rows.size());
}

}  // namespace warpmark
