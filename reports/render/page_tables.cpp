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

/// A row of a table of results: a case and one of its figures.
struct Line {
  const CaseSummary* summary;
  const Figure* figure;
};

void set_status(json& row, Status status) {
  row["status"] = std::string(name_of(status));
  row["status_text"] = status_text(status);
}

/// Small letters for the reasons that several rows of a table share.
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

json cell(std::string text, bool number, std::string note = "", std::string aside = "") {
  json made{{"text", std::move(text)}, {"number", number}, {"note", nullptr}, {"aside", nullptr}};
  if (!note.empty()) made["note"] = std::move(note);
  if (!aside.empty()) made["aside"] = std::move(aside);
  return made;
}

std::vector<std::string> axes_of(const std::vector<Line>& lines) {
  std::vector<std::string> axes;
  for (const Line& line : lines)
    for (const auto& [axis, value] : line.summary->record().at.at)
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  return axes;
}

std::string axis_cell(const Record& record, const std::string& wanted) {
  for (const auto& [axis, value] : record.at.at)
    if (axis == wanted) return axis_text(axis, value);
  return "";
}

json row_of(const Line& line, const std::vector<std::string>& axes, Notes& notes) {
  const Record& record = line.summary->record();
  const Figure& figure = *line.figure;
  json cells = json::array();
  for (const std::string& axis : axes) cells.push_back(cell(axis_cell(record, axis), true));
  cells.push_back(cell(record.at.kernel.variant, false, "",
                       fmt::format("{}, {}", name_of(record.at.kernel.dtype), name_of(record.at.mode))));
  cells.push_back(cell(format_value(figure.median, figure.unit), true));
  cells.push_back(cell(range_text(figure.low, figure.high, figure.unit), true));
  cells.push_back(
      cell(share_text(figure), true, figure.ceiling_source.empty() ? "" : notes.mark_of(figure.ceiling_source)));
  cells.push_back(cell(figure.share_at_clock ? format_percent(*figure.share_at_clock) : "", true));
  cells.push_back(cell(fmt::format("{} of {}", line.summary->usable, line.summary->repeats.size()), true));
  json row{{"cells", std::move(cells)}};
  set_status(row, line.summary->status);
  return row;
}

json columns_of(const std::vector<std::string>& axes) {
  json columns = json::array();
  const auto add = [&](const std::string& label, bool number) {
    columns.push_back({{"label", label}, {"number", number}});
  };
  for (const std::string& axis : axes) add(axis.size() == 1 ? axis : title_of_metric(axis), true);
  add("Variant", false);
  add("Median", true);
  add("Range over repeats", true);
  add("Of ceiling", true);
  add("At its clock", true);
  add("Repeats used", true);
  add("Status", false);
  return columns;
}

/// The lines of each table by its title, in the order of the cases: a table per benchmark, device and metric.
std::vector<std::pair<std::string, std::vector<Line>>> lines_by_table(const RunSummary& run) {
  std::vector<std::pair<std::string, std::vector<Line>>> groups;
  for (const CaseSummary& one : run.cases) {
    if (!one.measured()) continue;
    for (const Figure& figure : one.figures) {
      const std::string title =
          fmt::format("{} of {} on {}", title_of_metric(figure.name), one.record().benchmark, one.record().device);
      auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.first == title; });
      if (group == groups.end()) group = groups.insert(group, {title, {}});
      group->second.push_back({.summary = &one, .figure = &figure});
    }
  }
  return groups;
}

json result_tables(const RunSummary& run) {
  json tables = json::array();
  for (const auto& [title, lines] : lines_by_table(run)) {
    Notes notes;
    const std::vector<std::string> axes = axes_of(lines);
    json rows = json::array();
    for (const Line& line : lines) rows.push_back(row_of(line, axes, notes));
    tables.push_back(
        {{"title", title}, {"columns", columns_of(axes)}, {"rows", std::move(rows)}, {"notes", notes.rows()}});
  }
  return tables;
}

json missing_rows(const RunSummary& run) {
  json rows = json::array();
  for (const CaseSummary& one : run.cases) {
    if (one.measured()) continue;
    json row{{"id", one.record().id}, {"why", reasons_text(one)}};
    set_status(row, one.status);
    rows.push_back(std::move(row));
  }
  return rows;
}

json doubt_rows(const RunSummary& run) {
  json rows = json::array();
  for (const CaseSummary& one : run.cases) {
    if (one.doubts.empty()) continue;
    json row{{"id", one.record().id}, {"lines", one.doubts}};
    set_status(row, one.status);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string clock_text(const std::vector<double>& clocks) {
  if (clocks.empty()) return "";
  return format_rate(median(sorted(clocks)), "Hz");
}

/// The middle 90 % of the samples as values of the metric: in its own unit where it is a rate, else as times.
std::string sample_range(const Record& record, const Metric& metric) {
  const Summary& stats = *record.stats;
  if (metric.better == Better::lower || stats.p5 <= 0) return range_text(stats.p5, stats.p95, "s");
  return range_text(metric.value * stats.median / stats.p95, metric.value * stats.median / stats.p5, metric.unit);
}

json record_row(const Record& record) {
  json row{{"id", record.id}, {"repeat", record.repeat + 1}, {"ok", record.status == Status::ok}, {"why", record.why}};
  for (const char* absent : {"value", "range", "samples", "drift", "error"}) row[absent] = nullptr;
  set_status(row, record.status);
  if (usable(record) && !record.metrics.empty()) {
    std::vector<std::string> values;
    for (const Metric& metric : record.metrics) values.push_back(format_value(metric.value, metric.unit));
    row["value"] = fmt::format("{}", fmt::join(values, ", "));
  }
  if (record.stats) {
    if (usable(record) && !record.metrics.empty()) row["range"] = sample_range(record, record.metrics.front());
    row["samples"] = record.stats->n;
    row["drift"] = fmt::format("{:+.1f} %", record.stats->drift * 100);
  }
  row["clock"] = clock_text(record.samples.clock_hz);
  if (record.verification)
    row["error"] = fmt::format("{:.2g} / {:.2g}", record.verification->error, record.verification->allowed);
  return row;
}

json record_rows(const RunSummary& run) {
  json rows = json::array();
  for (const CaseSummary& one : run.cases)
    for (const Record* record : one.repeats) rows.push_back(record_row(*record));
  return rows;
}

}  // namespace

void add_tables(json& page, const RunSummary& run) {
  page["tables"] = result_tables(run);
  page["has_tables"] = !page["tables"].empty();
  page["missing"] = missing_rows(run);
  page["has_missing"] = !page["missing"].empty();
  page["missing_count"] = page["missing"].size();
  page["doubts"] = doubt_rows(run);
  page["run_doubts"] = run.doubts;
  page["doubt_count"] = run.doubt_count();
  page["has_doubts"] = run.doubt_count() > 0;
  page["records"] = record_rows(run);
  page["record_count"] = page["records"].size();
  page["has_records"] = !page["records"].empty();
}

}  // namespace warpmark
