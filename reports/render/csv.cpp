// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "harness/core/printable.h"
#include "harness/summary/sampled.h"
#include "reports/render/facts.h"
#include "reports/render/report.h"

namespace warpmark {
namespace {

constexpr std::string_view header =
    "file,run,started_at,host,device,device_name,id,benchmark,variant,dtype,axes,mode,regime,repeat,method,status,why,"
    "metric,unit,value,better,gate,ceiling,of_ceiling,of_ceiling_at_clock,ceiling_source,"
    "samples,batch,median_s,min_s,max_s,p5_s,p25_s,p75_s,p95_s,p99_s,p999_s,mad_s,ci_low_s,ci_high_s,drift,lag1,"
    "bytes_read,bytes_written,flops,steps,verification_error,verification_allowed,verification_ok,setup_s,"
    "clock_hz,power_w,temperature_c";

/// What some spreadsheet takes for the beginning of a formula; the last four are the wide forms of Asian keyboards.
constexpr std::array<std::string_view, 8> formula_starts{"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};

/// Some leave out blanks before they look.
bool is_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return std::any_of(formula_starts.begin(), formula_starts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

/// Text from a document: on one line, because it may go to a terminal, and with an apostrophe before what a spreadsheet
/// would run.
std::string text_cell(std::string_view text) {
  std::string safe(is_formula(text) ? "'" : "");
  for (const char c : one_line(text)) safe += c == '"' ? "\"\"" : std::string(1, c);
  const bool plain = safe.find_first_of(",\"") == std::string::npos;
  return plain ? safe : "\"" + safe + "\"";
}

/// The shortest text that reads back as the same number; nothing for one that is not known.
std::string number_cell(std::optional<double> number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number) : "";
}

class Row {
 public:
  Row& text(std::string_view value) { return cell(text_cell(value)); }
  Row& number(std::optional<double> value) { return cell(number_cell(value)); }
  template <class Integer>
  Row& integer(Integer value) {
    return cell(fmt::format("{}", value));
  }
  Row& flag(bool value) { return cell(value ? "true" : "false"); }
  Row& nothing(int cells) {
    for (; cells > 0; --cells) cell("");
    return *this;
  }
  [[nodiscard]] const std::string& line() const { return line_; }

 private:
  Row& cell(const std::string& value) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += value;
    return *this;
  }
  std::string line_;
  bool first_ = true;
};

std::string axes_text(const Record& record) {
  std::vector<std::string> axes;
  for (const auto& [axis, value] : record.at.at) axes.push_back(axis + "=" + text_of(value));
  return fmt::format("{}", fmt::join(axes, "/"));
}

std::string name_of_device(const Document& document, const std::string& id) {
  for (const nlohmann::json& device : document.devices)
    if (text_at(device, "/id") == id) return device_name(device);
  return "";
}

void add_where(Row& row, const Document& document, const Record& record, std::string_view source) {
  row.text(source).text(text_at(document.run, "/id").value_or("")).text(record.started_at);
  row.text(text_at(document.machine, "/host/name").value_or(""))
      .text(record.device)
      .text(name_of_device(document, record.device));
}

void add_case(Row& row, const Record& record) {
  row.text(record.id).text(record.benchmark).text(record.at.kernel.variant).text(name_of(record.at.kernel.dtype));
  row.text(axes_text(record))
      .text(name_of(record.at.mode))
      .text(record.regime)
      .integer(record.repeat)
      .integer(record.method);
  row.text(name_of(record.status)).text(record.why);
}

void add_metric(Row& row, const Metric* metric) {
  if (metric == nullptr) {
    row.nothing(9);
    return;
  }
  row.text(metric->name).text(metric->unit).number(metric->value).text(name_of(metric->better)).flag(metric->gate);
  row.number(metric->ceiling)
      .number(metric->of_ceiling)
      .number(metric->of_ceiling_at_clock)
      .text(metric->ceiling_source);
}

void add_samples(Row& row, const Record& record) {
  if (!record.stats) {
    row.nothing(16);
    return;
  }
  const Summary& stats = *record.stats;
  row.integer(stats.n).integer(record.samples.batch);
  for (const double seconds :
       {stats.median, stats.min, stats.max, stats.p5, stats.p25, stats.p75, stats.p95, stats.p99})
    row.number(seconds);
  row.number(stats.p999)
      .number(stats.mad)
      .number(stats.ci_low)
      .number(stats.ci_high)
      .number(stats.drift)
      .number(stats.lag1);
}

void add_proof(Row& row, const Record& record) {
  row.number(record.work.bytes_read)
      .number(record.work.bytes_written)
      .number(record.work.flops)
      .number(record.work.steps);
  if (record.verification)
    row.number(record.verification->error).number(record.verification->allowed).flag(record.verification->ok());
  else
    row.nothing(3);
  row.number(record.setup_seconds);
}

/// Medians of what the sampler read beside the record.
void add_readings(Row& row, const Record& record) {
  const auto sampled = sampled_of(record.telemetry);
  if (!sampled) {
    row.nothing(3);
    return;
  }
  for (const auto& range : {sampled->clock_hz, sampled->power_w, sampled->temperature_c})
    row.number(range ? std::optional(range->median) : std::nullopt);
}

std::string line_of(const Document& document, const Record& record, const Metric* metric, std::string_view source) {
  Row row;
  add_where(row, document, record, source);
  add_case(row, record);
  add_metric(row, metric);
  add_samples(row, record);
  add_proof(row, record);
  add_readings(row, record);
  return row.line() + "\n";
}

}  // namespace

std::string csv_report(std::span<const Document> documents, const ReportOptions& options) {
  std::string text = std::string(header) + "\n";
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string_view source =
        i < options.sources.size() ? std::string_view(options.sources[i]) : std::string_view();
    for (const Record& record : documents[i].records) {
      if (record.metrics.empty()) text += line_of(documents[i], record, nullptr, source);
      for (const Metric& metric : record.metrics) text += line_of(documents[i], record, &metric, source);
    }
  }
  return text;
}

}  // namespace warpmark
