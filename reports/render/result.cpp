// SPDX-License-Identifier: Apache-2.0
#include "reports/render/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "harness/summary/beside_cpu.h"
#include "harness/summary/launch_costs.h"
#include "harness/summary/tensor_cores.h"
#include "harness/summary/transfer_curves.h"
#include "reports/render/facts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

std::string letter_of(std::size_t index) {
  const std::string last(1, static_cast<char>('A' + index % 26));
  return index < 26 ? last : letter_of(index / 26 - 1) + last;
}

std::string devices_text(const Document& document) {
  std::vector<std::string> names;
  for (const nlohmann::json& device : document.devices) {
    std::string name = device_name(device);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names.empty() ? "No device" : fmt::format("{}", fmt::join(names, ", "));
}

bool compares(const CaseSummary* first, const CaseSummary* other) {
  return first != nullptr && other != nullptr && first->measured() && other->measured() &&
         first->record().method == other->record().method && first->record().at.mode == other->record().at.mode &&
         first->record().regime == other->record().regime;
}

/// What makes two key numbers answers to the same question.
struct Question {
  std::string device, benchmark, dtype, place, metric;
  auto tie() const { return std::tie(device, benchmark, dtype, place, metric); }
  bool operator<(const Question& other) const { return tie() < other.tie(); }
};

std::string place_of(const Record& record) {
  std::string place;
  for (const auto& [axis, value] : record.at.at)
    if (std::holds_alternative<std::string>(value)) place += (place.empty() ? "" : ", ") + axis_text(axis, value);
  if (record.regime != "burst") place += (place.empty() ? "regime " : ", regime ") + record.regime;
  return place;
}

Question question_of(const CaseSummary& summary, bool devices_matter) {
  const Record& record = summary.record();
  return {.device = devices_matter ? record.device : "",
          .benchmark = record.benchmark,
          .dtype = arithmetic_of(record),
          .place = place_of(record),
          .metric = summary.figures.front().name};
}

std::vector<std::string> variants_of(const RunSummary& run, const CaseSummary& best) {
  const Question asked = question_of(best, true);
  std::set<std::string> variants;
  for (const CaseSummary& one : run.cases) {
    if (!one.measured() || one.record().at.mode != best.record().at.mode) continue;
    if (question_of(one, true).tie() == asked.tie()) variants.insert(one.record().at.kernel.variant);
  }
  return {variants.begin(), variants.end()};
}

std::string sizes_and_mode(const Record& record) {
  std::string text;
  for (const auto& [axis, value] : record.at.at)
    if (std::holds_alternative<std::int64_t>(value)) text += fmt::format("{} {}, ", axis, axis_text(axis, value));
  return text.append(name_of(record.at.mode));
}

/// Where the CPU did not do what the best case did, it says in which case both are compared.
std::string beside_text(const CpuBaseline& baseline, const std::vector<Result>& results, std::size_t index,
                        const CaseSummary& best) {
  const std::optional<BesideCpu> beside = baseline.beside(index, best);
  if (!beside) return "";
  const std::string whose = beside->cpu_run == index ? "" : " of " + results[beside->cpu_run].letter;
  const std::string where = beside->device == &best ? "" : " at " + sizes_and_mode(beside->device->record());
  return beside_cpu_text(*beside, "× ", whose) + where;
}

CpuBaseline baseline_of(const std::vector<Result>& results) {
  std::vector<const RunSummary*> runs;
  for (const Result& result : results) runs.push_back(&result.run);
  return CpuBaseline(std::move(runs));
}

KeyRow row_of(const CaseSummary& best, std::size_t of, std::size_t results) {
  const Record& record = best.record();
  KeyRow row{.question = fmt::format("{} {}", record.benchmark, arithmetic_of(record)), .place = place_of(record)};
  if (row.place.empty() && of > 1) row.place = fmt::format("best of {}", count_text(of, "case"));
  row.answers.resize(results);
  return row;
}

/// Where a benchmark has a named place, that is the headline, and of a bandwidth the widest type of it: its other types
/// and its caches repeat or flatter it. Rates of arithmetic differ by type, so each counts.
void mark_headlines(std::vector<std::pair<Question, KeyRow>>& rows) {
  std::map<std::string, std::size_t> widest;
  std::set<std::string> placed;
  const auto size_of_row = [](const KeyRow& row) {
    for (const auto& answer : row.answers)
      if (answer) return size_of(answer->best->record().at.kernel.dtype);
    return std::size_t{0};
  };
  const auto group = [](const Question& each) { return each.device + "\n" + each.benchmark + "\n" + each.metric; };
  for (const auto& [question, row] : rows) {
    if (question.place.empty()) continue;
    placed.insert(group(question));
    widest[group(question)] = std::max(widest[group(question)], size_of_row(row));
  }
  for (auto& [question, row] : rows) {
    const bool has_place = placed.count(group(question)) > 0;
    row.headline = !has_place || (!question.place.empty() &&
                                  (question.metric != "bandwidth" || size_of_row(row) == widest[group(question)]));
  }
}

}  // namespace

std::vector<Result> results_of(std::span<const Document> documents, const ReportOptions& options) {
  std::vector<Result> results;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    Result result{.letter = letter_of(i), .name = devices_text(documents[i]), .document = &documents[i]};
    if (i < options.sources.size()) result.source = options.sources[i];
    result.run = summarise(documents[i]);
    result.verdicts =
        device_verdicts(documents[i], result.run, options.bands == nullptr ? own_bands() : *options.bands);
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<RunSummary> runs_of(const std::vector<Result>& results) {
  std::vector<RunSummary> runs;
  runs.reserve(results.size());
  for (const Result& result : results) runs.push_back(result.run);
  return runs;
}

const CaseSummary& JoinedCase::first() const {
  return **std::find_if(cases.begin(), cases.end(), [](const CaseSummary* one) { return one != nullptr; });
}

bool JoinedCase::measured() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const CaseSummary* one) { return one != nullptr && one->measured(); });
}

std::vector<JoinedCase> joined_cases(const std::vector<Result>& results) {
  std::vector<JoinedCase> joined;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const CaseSummary& one : results[i].run.cases) {
      const auto [entry, is_new] = index.try_emplace(one.record().id, joined.size());
      if (is_new) joined.push_back({.cases = std::vector<const CaseSummary*>(results.size())});
      joined[entry->second].cases[i] = &one;
    }
  }
  return joined;
}

std::vector<KeyRow> key_rows(const std::vector<Result>& results) {
  const bool devices_matter =
      std::any_of(results.begin(), results.end(), [](const Result& each) { return each.document->devices.size() > 1; });
  std::vector<std::pair<Question, KeyRow>> rows;
  std::map<Question, std::size_t> index;
  const CpuBaseline baseline = baseline_of(results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunSummary& run = results[i].run;
    for (const KeyNumber& number : run.key_numbers) {
      const CaseSummary& best = run.cases[number.best];
      const Question question = question_of(best, devices_matter);
      const auto [entry, is_new] = index.try_emplace(question, rows.size());
      if (is_new) rows.emplace_back(question, row_of(best, number.of, results.size()));
      if (is_new && devices_matter) rows.back().second.question += " on " + question.device;
      rows[entry->second].second.answers[i] = KeyAnswer{
          .best = &best, .variants = variants_of(run, best), .beside_cpu = beside_text(baseline, results, i, best)};
    }
  }
  mark_headlines(rows);
  std::vector<KeyRow> made;
  for (auto& [question, row] : rows) made.push_back(std::move(row));
  return made;
}

std::vector<std::string> beside_cpu_lines(const std::vector<Result>& results) {
  std::vector<std::string> lines;
  for (const KeyRow& row : key_rows(results)) {
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
      if (!row.answers[i] || row.answers[i]->beside_cpu.empty()) continue;
      const Record& record = row.answers[i]->best->record();
      const std::string letter = results.size() > 1 ? results[i].letter + " " : "";
      const std::string place = place_of(record);
      lines.push_back(fmt::format("{}{} {} {}{}: {}", letter, record.device, record.benchmark, arithmetic_of(record),
                                  place.empty() ? "" : ", " + place, row.answers[i]->beside_cpu));
    }
  }
  return lines;
}

std::vector<TensorCoreNote> tensor_core_notes(const std::vector<Result>& results) {
  constexpr std::string_view times = "× ";
  std::vector<TensorCoreNote> notes;
  for (const Result& result : results) {
    const std::string letter = results.size() > 1 ? result.letter + " " : "";
    for (const TensorCores& cores : tensor_cores(*result.document, result.run))
      notes.push_back({.line = letter + tensor_cores_text(cores, times), .losses = tensor_core_losses(cores, times)});
  }
  return notes;
}

std::vector<std::string> launch_cost_lines(const std::vector<Result>& results) {
  std::vector<std::string> lines;
  for (const Result& result : results)
    for (const LaunchCosts& costs : launch_costs(result.run))
      lines.push_back((results.size() > 1 ? result.letter + " " : "") + launch_costs_text(costs));
  return lines;
}

std::vector<std::string> transfer_notes(const std::vector<Result>& results) {
  std::vector<std::string> notes;
  for (const Result& result : results)
    for (const std::string& line : transfer_lines(transfer_curves(result.run), "× "))
      notes.push_back((results.size() > 1 ? result.letter + " " : "") + line);
  return notes;
}

const Figure* figure_named(const CaseSummary* summary, std::string_view metric) {
  if (summary == nullptr) return nullptr;
  for (const Figure& figure : summary->figures)
    if (figure.name == metric) return &figure;
  return nullptr;
}

std::optional<double> ratio_to(const CaseSummary* first, const CaseSummary* other, std::string_view metric) {
  if (!compares(first, other)) return std::nullopt;
  const Figure* base = figure_named(first, metric);
  const Figure* now = figure_named(other, metric);
  if (base == nullptr || now == nullptr || base->unit != now->unit) return std::nullopt;
  const double ratio = base->better == Better::higher ? now->median / base->median : base->median / now->median;
  return std::isfinite(ratio) && ratio > 0 ? std::optional(ratio) : std::nullopt;
}

std::string ratio_text(std::optional<double> ratio) {
  if (!ratio) return "";
  return *ratio < 10 ? fmt::format("{:.2f}×", *ratio) : fmt::format("{:.3g}×", *ratio);
}

}  // namespace warpmark
