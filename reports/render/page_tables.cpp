// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "harness/core/units.h"
#include "harness/stats/order.h"
#include "reports/render/page_parts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

void set_status(json& row, Status status) {
  row["status"] = std::string(name_of(status));
  row["status_text"] = status_text(status);
}

/// What a column sorts by, in full precision; null where there is no number.
json sort_key(double value) { return std::isfinite(value) ? json(fmt::format("{:.9g}", value)) : json(nullptr); }
json sort_key(const std::optional<double>& value) { return value ? sort_key(*value) : json(nullptr); }

/// Small numbers for the reasons that several rows of a table share.
class Notes {
 public:
  std::string mark_of(const std::string& text) {
    const auto [entry, is_new] = marks_.try_emplace(text, marks_.size() + 1);
    if (is_new) rows_.push_back({{"mark", std::to_string(entry->second)}, {"text", text}});
    return std::to_string(entry->second);
  }
  [[nodiscard]] json rows() const { return rows_; }

 private:
  std::map<std::string, std::size_t> marks_;
  json rows_ = json::array();
};

struct Cell {
  std::string text{};
  json key{};          // what it sorts by
  std::string note{};  // mark of a note below the table
};

json cell_json(const Cell& cell) {
  json made{{"text", cell.text}, {"key", cell.key}, {"note", nullptr}};
  if (!cell.note.empty()) made["note"] = cell.note;
  return made;
}

Cell value_cell(const CaseSummary* one, const std::string& metric) {
  if (one == nullptr) return {.text = "not there"};
  const Figure* figure = figure_named(one, metric);
  if (figure == nullptr) return {.text = "none"};
  return {.text = format_value(figure->median, figure->unit), .key = sort_key(figure->median)};
}

Cell share_cell(const CaseSummary* one, const std::string& metric, Notes& notes) {
  const Figure* figure = figure_named(one, metric);
  if (figure == nullptr) return {};
  return {.text = share_text(*figure),
          .key = sort_key(figure->share),
          .note = figure->ceiling_source.empty() ? "" : notes.mark_of(figure->ceiling_source)};
}

/// The columns that only one result has room for.
void add_details(json& cells, const CaseSummary& one, const std::string& metric) {
  const Figure* figure = figure_named(&one, metric);
  const bool there = figure != nullptr;
  cells.push_back(cell_json({.text = there ? range_text(figure->low, figure->high, figure->unit) : "",
                             .key = there ? sort_key(figure->high - figure->low) : json(nullptr)}));
  const auto at_clock = there ? figure->share_at_clock : std::nullopt;
  cells.push_back(cell_json({.text = at_clock ? format_percent(*at_clock) : "", .key = sort_key(at_clock)}));
  cells.push_back(cell_json({.text = fmt::format("{} of {}", one.usable, one.repeats.size()),
                             .key = sort_key(static_cast<double>(one.usable))}));
}

std::string remark_of(const JoinedCase& joined, const std::vector<Result>& results) {
  std::string remark;
  for (std::size_t i = 0; i < joined.cases.size(); ++i) {
    const CaseSummary* one = joined.cases[i];
    if (one == nullptr) continue;
    std::string text = one->measured() ? fmt::format("{}", fmt::join(one->doubts, "; ")) : reasons_text(*one);
    if (text.empty()) continue;
    if (results.size() > 1) text.insert(0, results[i].letter + ": ");
    remark += (remark.empty() ? "" : "; ") + text;
  }
  return remark;
}

/// Not ok where it is so in any result, so that a filter for trouble finds the row.
Status status_of(const JoinedCase& joined) {
  Status status = joined.first().status;
  for (const CaseSummary* one : joined.cases)
    if (one != nullptr && one->status != Status::ok) status = one->status;
  return status;
}

json case_row(const JoinedCase& joined, const std::string& metric, const std::vector<Result>& results, Notes& notes) {
  json cells = json::array();
  for (const CaseSummary* one : joined.cases) cells.push_back(cell_json(value_cell(one, metric)));
  for (std::size_t i = 1; i < joined.cases.size(); ++i) {
    const std::optional<double> ratio = ratio_to(joined.cases[0], joined.cases[i], metric);
    cells.push_back(cell_json({.text = ratio_text(ratio), .key = sort_key(ratio)}));
  }
  for (const CaseSummary* one : joined.cases) cells.push_back(cell_json(share_cell(one, metric, notes)));
  if (results.size() == 1) add_details(cells, joined.first(), metric);
  const bool doubtful = std::any_of(joined.cases.begin(), joined.cases.end(),
                                    [](const CaseSummary* one) { return one != nullptr && !one->doubts.empty(); });
  json row{{"id", joined.first().record().id},
           {"metric", nullptr},
           {"cells", std::move(cells)},
           {"doubt", doubtful},
           {"remark", nullptr}};
  if (std::string remark = remark_of(joined, results); !remark.empty()) row["remark"] = std::move(remark);
  set_status(row, status_of(joined));
  return row;
}

/// The metrics of a case in any result, the headline first; one empty name where nothing was measured.
std::vector<std::string> metrics_of(const JoinedCase& joined) {
  std::vector<std::string> names;
  for (const CaseSummary* one : joined.cases) {
    if (one == nullptr) continue;
    for (const Figure& figure : one->figures)
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) names.push_back(figure.name);
  }
  if (names.empty()) names.emplace_back();
  return names;
}

json case_columns(const std::vector<Result>& results) {
  json columns = json::array();
  const auto add = [&](std::string label) { columns.push_back({{"label", std::move(label)}}); };
  const bool single = results.size() == 1;
  for (const Result& result : results) add(single ? "Median" : result.letter);
  for (std::size_t i = 1; i < results.size(); ++i) add(results[i].letter + " ÷ " + results[0].letter);
  for (const Result& result : results) add(single ? "Of ceiling" : result.letter + " of ceiling");
  if (single)
    for (const char* label : {"Range over repeats", "At its clock", "Repeats"}) add(label);
  return columns;
}

/// The middle 90 % of the samples as values of the metric: in its own unit where it is a rate, else as times.
std::string sample_range(const Record& record, const Metric& metric) {
  const Summary& stats = *record.stats;
  if (metric.better == Better::lower || stats.p5 <= 0) return range_text(stats.p5, stats.p95, "s");
  return range_text(metric.value * stats.median / stats.p95, metric.value * stats.median / stats.p5, metric.unit);
}

void add_value(json& row, const Record& record) {
  if (!usable(record) || record.metrics.empty()) return;
  std::vector<std::string> values;
  for (const Metric& metric : record.metrics) values.push_back(format_value(metric.value, metric.unit));
  const Metric& first = record.metrics.front();
  row["value"] = fmt::format("{}", fmt::join(values, ", "));
  row["value_key"] = sort_key(first.value);
  row["share"] = first.of_ceiling ? format_percent(*first.of_ceiling) : "none";
  row["share_key"] = sort_key(first.of_ceiling);
  if (record.stats) row["range"] = sample_range(record, first);
}

json record_row(const Record& record, const std::string* letter) {
  json row{{"letter", letter == nullptr ? json(nullptr) : json(*letter)},
           {"id", record.id},
           {"repeat", record.repeat + 1},
           {"why", record.why.empty() ? json(nullptr) : json(record.why)}};
  for (const char* absent : {"value", "value_key", "share", "share_key", "range", "samples", "drift", "drift_key",
                             "clock", "clock_key", "error", "error_key"})
    row[absent] = nullptr;
  set_status(row, record.status);
  add_value(row, record);
  if (record.stats) {
    row["samples"] = record.stats->n;
    row["drift"] = fmt::format("{:+.1f} %", record.stats->drift * 100);
    row["drift_key"] = sort_key(record.stats->drift);
  }
  if (!record.samples.clock_hz.empty()) {
    const double clock = median(sorted(record.samples.clock_hz));
    row["clock"] = format_rate(clock, "Hz");
    row["clock_key"] = sort_key(clock);
  }
  if (record.verification) {
    row["error"] = fmt::format("{:.2g} / {:.2g}", record.verification->error, record.verification->allowed);
    row["error_key"] = sort_key(record.verification->error);
  }
  return row;
}

}  // namespace

void add_case_table(json& page, const std::vector<Result>& results) {
  Notes notes;
  page["cases"] = json::array();
  std::size_t count = 0;
  for (const JoinedCase& joined : joined_cases(results)) {
    ++count;
    const std::vector<std::string> metrics = metrics_of(joined);
    for (const std::string& metric : metrics) {
      json row = case_row(joined, metric, results, notes);
      if (metric != metrics.front()) row["metric"] = title_of_metric(metric);
      page["cases"].push_back(std::move(row));
    }
  }
  page["case_columns"] = case_columns(results);
  page["case_notes"] = notes.rows();
  page["case_count"] = count;
  page["has_cases"] = count > 0;
}

void add_record_table(json& page, const std::vector<Result>& results) {
  page["records"] = json::array();
  for (const Result& result : results)
    for (const CaseSummary& one : result.run.cases)
      for (const Record* record : one.repeats)
        page["records"].push_back(record_row(*record, results.size() > 1 ? &result.letter : nullptr));
  page["record_count"] = page["records"].size();
  page["has_records"] = !page["records"].empty();
}

}  // namespace warpmark
