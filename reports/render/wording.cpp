// SPDX-License-Identifier: Apache-2.0
#include "reports/render/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#include "harness/core/units.h"

namespace warpmark {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> metric_titles{
    {{"bandwidth", "Bandwidth"},
     {"flop_rate", "Floating-point rate"},
     {"latency", "Latency"},
     {"latency_p99", "Slowest of a hundred"},
     {"latency_p999", "Slowest of a thousand"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> family_titles{
    {{"compute", "Compute units"},
     {"convolution", "Convolution layers"},
     {"gemv", "Matrices times a vector"},
     {"transfer", "Copies between host and device"}}};

/// As the table has it; else the name, a word made of its parts.
template <std::size_t n>
std::string title_of(std::string_view name,
                     const std::array<std::pair<std::string_view, std::string_view>, n>& titles) {
  for (const auto& [known, title] : titles)
    if (known == name) return std::string(title);
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

bool counts_bytes(std::string_view axis) {
  return axis == "footprint" || axis == "bytes" || (axis.size() > 6 && axis.substr(axis.size() - 6) == "_bytes");
}

/// Days and seconds of "2026-11-30T05:30:00Z", fractions left out.
bool parse_time(std::string_view text, std::chrono::sys_seconds& time) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const std::string copy(text.substr(0, 19));
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) != 6)
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || text.empty() || text.back() != 'Z') return false;
  time = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
  return true;
}

std::string without_unit(const std::string& text) { return text.substr(0, text.find(' ')); }

}  // namespace

std::string title_of_metric(std::string_view metric) { return title_of(metric, metric_titles); }
std::string title_of_family(std::string_view family) { return title_of(family, family_titles); }

std::string axis_text(std::string_view axis, const AxisValue& value) {
  if (!counts_bytes(axis)) return text_of(value);
  if (const auto* bytes = std::get_if<std::int64_t>(&value)) return format_bytes(static_cast<double>(*bytes));
  const std::string& word = std::get<std::string>(value);
  return word == "memory" ? "main memory" : word;
}

std::string case_text(const Record& record) {
  std::string text = fmt::format("{}, {}", record.at.kernel.variant, arithmetic_of(record));
  for (const auto& [axis, value] : record.at.at) text += fmt::format(", {} {}", axis, axis_text(axis, value));
  text.append(", ").append(name_of(record.at.mode));
  return record.regime == "burst" ? text : text.append(", regime ").append(record.regime);
}

std::string range_text(double low, double high, std::string_view unit) {
  std::string from = format_value(low, unit);
  const std::string to = format_value(high, unit);
  if (from == to) return from;
  const std::size_t from_unit = from.find(' '), to_unit = to.find(' ');
  const bool same =
      from_unit != std::string::npos && to_unit != std::string::npos && from.substr(from_unit) == to.substr(to_unit);
  return fmt::format("{} – {}", same ? without_unit(from) : from, to);
}

std::string time_text(std::string_view iso8601) {
  std::chrono::sys_seconds time;
  if (!parse_time(iso8601, time)) return std::string(iso8601);
  return fmt::format("{} {} UTC", iso8601.substr(0, 10), iso8601.substr(11, 8));
}

double seconds_between(std::string_view from, std::string_view to) {
  std::chrono::sys_seconds first, last;
  if (!parse_time(from, first) || !parse_time(to, last)) return unknown_value;
  return static_cast<double>((last - first).count());
}

std::string count_text(std::size_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string share_text(const Figure& figure) { return figure.share ? format_percent(*figure.share) : "none"; }

std::string reasons_text(const CaseSummary& summary) {
  std::vector<std::string> reasons;
  for (const Record* record : summary.repeats) {
    std::string why = record->why;
    if (why.empty()) why = record->verification ? "it left no number" : "its result was not verified";
    if (std::find(reasons.begin(), reasons.end(), why) == reasons.end()) reasons.push_back(std::move(why));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string measured_text(const Totals& totals) {
  if (totals.cases() == 0) return "Nothing was measured: the document holds no record.";
  std::string text = fmt::format("{} of {} measured and verified", totals.complete, count_text(totals.cases(), "case"));
  if (totals.partial > 0) text += fmt::format(", {} more in some repeats only", totals.partial);
  if (totals.missing > 0) text += fmt::format(", {} not measured", totals.missing);
  return text + ".";
}

std::string verdict_text(const std::vector<RunSummary>& runs) {
  const Totals totals = totals_of(runs);
  std::string text = measured_text(totals);
  if (totals.cases() == 0) return text;
  text.pop_back();
  if (totals.lowest_share != nullptr)
    text += fmt::format("; lowest share of a ceiling {} ({})", share_text(totals.lowest_share->figures.front()),
                        full_case_text(totals.lowest_share->record()));
  return text + fmt::format("; {}.", totals.doubts == 0 ? "no doubts" : count_text(totals.doubts, "doubt"));
}

std::string doubts_text(const RunSummary& run) {
  if (run.complete + run.partial == 0) return "There is no number that may be used.";
  std::map<Status, std::size_t> counts;
  std::size_t doubtful = 0;
  for (const CaseSummary& one : run.cases) {
    if (one.doubts.empty()) continue;
    ++counts[one.status];
    ++doubtful;
  }
  const bool is_whole = run.complete == run.cases.size();
  if (doubtful == 0 && !run.doubts.empty()) return "";
  if (doubtful == 0) return is_whole ? "Nothing speaks against these numbers." : "Nothing speaks against the others.";
  std::vector<std::string> parts;
  for (const auto& [status, count] : counts)
    if (status != Status::ok) parts.push_back(fmt::format("{} {}", count, status_text(status)));
  if (counts[Status::ok] > 0) parts.push_back(fmt::format("{} measured with a doubt", counts[Status::ok]));
  return fmt::format("{} of {} {} doubtful: {}.", doubtful, count_text(run.cases.size(), "case"),
                     doubtful == 1 ? "is" : "are", fmt::join(parts, ", "));
}

std::string status_text(Status status) {
  std::string text(name_of(status));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string_view outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::clean: return "Measured and verified";
    case Outcome::doubtful: return "Measured, with doubts";
    case Outcome::incomplete: return "Incomplete";
    case Outcome::nothing: return "Nothing measured";
  }
  return "?";
}

std::string_view outcome_meaning(Outcome outcome) {
  switch (outcome) {
    case Outcome::clean: return "Every case that could run here was measured and checked against a reference.";
    case Outcome::doubtful: return "Nothing failed, but not every number can be taken at its word.";
    case Outcome::incomplete: return "Something failed, timed out or cannot be right. Everything else is shown.";
    case Outcome::nothing: return "There is no number that may be used.";
  }
  return "?";
}

std::string full_case_text(const Record& record) {
  return fmt::format("{} on {}: {}", record.benchmark, record.device, case_text(record));
}

}  // namespace warpmark
