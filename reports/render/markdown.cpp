// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "harness/core/units.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/steady.h"
#include "reports/render/facts.h"
#include "reports/render/gpu_facts.h"
#include "reports/render/report.h"
#include "reports/render/result.h"
#include "reports/render/template.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

/// Text that Markdown and the HTML inside it leave as it is, on one line.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : without_steering(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      safe += ' ';
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|>#~@").find(c) != std::string_view::npos) safe += '\\';
      safe += c;
    }
  }
  return safe;
}

/// Text inside backticks: nothing is markup there but the backtick, and the bar where it stands in a table.
std::string code(std::string_view text) {
  std::string safe = "`";
  for (const char c : without_steering(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '`') {
      safe += ' ';
    } else {
      if (c == '|') safe += '\\';
      safe += c;
    }
  }
  return safe + "`";
}

void add_row(std::string& text, const std::vector<std::string>& cells) {
  text += fmt::format("| {} |\n", fmt::join(cells, " | "));
}

void add_facts(std::string& text, const std::vector<Fact>& facts) {
  for (const Fact& fact : facts) add_row(text, {plain(fact.label), plain(fact.text)});
}

void add_machine(std::string& text, const Document& document) {
  text += "| | |\n|---|---|\n";
  add_facts(text, identity_facts(document));
  for (const nlohmann::json& device : document.devices) {
    add_row(text, {"**Device**", "**" + plain(device_name(device)) + "**"});
    add_facts(text, device_facts(device));
  }
}

void add_key_numbers(std::string& text, const RunSummary& run) {
  if (run.key_numbers.empty()) return;
  text +=
      "\n### Key numbers\n\n| Best of | Median | Range over repeats | Of ceiling | Ceiling "
      "|\n|---|---:|---:|---:|---|\n";
  for (const KeyNumber& number : run.key_numbers) {
    const CaseSummary& one = run.cases[number.best];
    const Figure& figure = one.figures.front();
    add_row(text, {plain(full_case_text(one.record())), plain(format_value(figure.median, figure.unit)),
                   plain(range_text(figure.low, figure.high, figure.unit)), share_text(figure),
                   plain(figure.ceiling_source)});
  }
}

/// "How much faster is the GPU?", in words.
void add_beside_cpu(std::string& text, const std::vector<Result>& results) {
  const std::vector<std::string> lines = beside_cpu_lines(results);
  if (!lines.empty()) text += "\n";
  for (const std::string& line : lines) text += fmt::format("- {}\n", plain(line));
}

void add_tensor_cores(std::string& text, const std::vector<Result>& results) {
  const std::vector<TensorCoreNote> notes = tensor_core_notes(results);
  if (!notes.empty()) text += "\n";
  for (const TensorCoreNote& note : notes) {
    text += fmt::format("- {}\n", plain(note.line));
    for (const std::string& loss : note.losses) text += fmt::format("  - {}\n", plain(loss));
  }
}

void add_launch_costs(std::string& text, const std::vector<Result>& results) {
  const std::vector<std::string> lines = launch_cost_lines(results);
  if (!lines.empty()) text += "\n";
  for (const std::string& line : lines) text += fmt::format("- {}\n", plain(line));
}

void add_steady(std::string& text, const RunSummary& run) {
  const std::vector<SteadyRate> rates = steady_rates(run);
  if (!rates.empty()) text += "\n### When it is warm\n\n";
  for (const SteadyRate& rate : rates) {
    text += fmt::format("- {}: {}\n", code(rate.record->id), plain(steady_text(rate)));
    if (rate.fell()) text += fmt::format("  - {}\n", plain(fall_text(rate)));
  }
}

void add_transfers(std::string& text, const std::vector<Result>& results) {
  const std::vector<std::string> notes = transfer_notes(results);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += fmt::format("- {}\n", plain(note));
}

void add_results(std::string& text, const RunSummary& run) {
  if (run.complete + run.partial == 0) return;
  text +=
      "\n### Results\n\n| Case | Metric | Median | Range over repeats | Of ceiling | Usable repeats | Gravest status "
      "|\n"
      "|---|---|---:|---:|---:|---:|---|\n";
  for (const CaseSummary& one : run.cases) {
    if (!one.measured()) continue;
    for (const Figure& figure : one.figures)
      add_row(text, {code(one.record().id), plain(figure.name), plain(format_value(figure.median, figure.unit)),
                     plain(range_text(figure.low, figure.high, figure.unit)), share_text(figure),
                     fmt::format("{} of {}", one.usable, one.repeats.size()), plain(name_of(one.status))});
  }
}

void add_doubts(std::string& text, const RunSummary& run) {
  if (run.doubt_count() == 0) return;
  text += "\n### Doubts\n\n";
  for (const std::string& doubt : run.doubts) text += fmt::format("- {}\n", plain(doubt));
  for (const CaseSummary& one : run.cases)
    for (const std::string& doubt : one.doubts) text += fmt::format("- {}: {}\n", code(one.record().id), plain(doubt));
}

/// Whether to keep each GPU, and why not.
void add_verdicts(std::string& text, const std::vector<DeviceVerdict>& verdicts) {
  for (const DeviceVerdict& verdict : verdicts) {
    text += fmt::format("**{}**: {}\n\n", name_of(verdict.judgement), plain(verdict_line(verdict)));
    for (const std::string& reason : verdict.reasons) text += fmt::format("- {}\n", plain(reason));
    if (!verdict.reasons.empty()) text += "\n";
  }
}

/// What a reader has to know and that is no doubt: of the run, then of each device.
void add_notes(std::string& text, const Document& document, const RunSummary& run) {
  std::vector<std::string> lines = run.notes;
  for (const DeviceReadings& readings : device_readings(document))
    if (readings.any()) lines.push_back(fmt::format("{}: {}", readings.device, readings_text(readings, "°C")));
  if (lines.empty()) return;
  text += "\n### Clock, power and temperature\n\n";
  for (const std::string& line : lines) text += fmt::format("- {}\n", plain(line));
}

void add_missing(std::string& text, const RunSummary& run) {
  if (run.missing == 0) return;
  text += "\n### Not measured\n\n| Case | Status | Why |\n|---|---|---|\n";
  for (const CaseSummary& one : run.cases)
    if (!one.measured()) add_row(text, {code(one.record().id), plain(name_of(one.status)), plain(reasons_text(one))});
}

void add_provenance(std::string& text, const Document& document, const std::string& source) {
  text += "\n### Provenance\n\n| | |\n|---|---|\n";
  if (!source.empty()) add_row(text, {"File", plain(source)});
  add_facts(text, run_facts(document.run));
  if (const std::string command = command_text(document.run); !command.empty())
    add_row(text, {"Command", code(command)});
  const nlohmann::json::json_pointer denied("/denied");
  if (!document.machine.contains(denied)) return;
  for (const nlohmann::json& one : document.machine.at(denied))
    add_row(text, {"Not read: " + plain(text_at(one, "/what").value_or("")), plain(text_at(one, "/why").value_or(""))});
}

/// "23.2 GB/s (89.0 %)", with the share of the ceiling where there is one.
std::string answer_text(const CaseSummary* one, std::string_view metric) {
  const Figure* figure = figure_named(one, metric);
  if (figure == nullptr) return one == nullptr ? "not there" : plain(name_of(one->status));
  const std::string share = figure->share ? fmt::format(" ({})", share_text(*figure)) : "";
  return plain(format_value(figure->median, figure->unit)) + share;
}

/// The heads of a table with a column per result, then one per ratio to the first.
void add_joined_head(std::string& text, std::string_view what, const std::vector<Result>& results) {
  std::vector<std::string> heads{std::string(what)};
  for (const Result& result : results) heads.push_back(result.letter);
  for (std::size_t i = 1; i < results.size(); ++i)
    heads.push_back(fmt::format("{} ÷ {}", results[i].letter, results[0].letter));
  add_row(text, heads);
  text += "|---|";
  for (std::size_t i = 1; i < heads.size(); ++i) text += "---:|";
  text += "\n";
}

void add_joined_row(std::string& text, std::string name, const std::vector<const CaseSummary*>& cases,
                    std::string_view metric) {
  std::vector<std::string> cells{std::move(name)};
  for (const CaseSummary* one : cases) cells.push_back(answer_text(one, metric));
  for (std::size_t i = 1; i < cases.size(); ++i) cells.push_back(ratio_text(ratio_to(cases[0], cases[i], metric)));
  add_row(text, cells);
}

/// The metric to show of a joined row: the headline of the first result that has one.
std::string metric_of(const std::vector<const CaseSummary*>& cases) {
  for (const CaseSummary* one : cases)
    if (one != nullptr && !one->figures.empty()) return one->figures.front().name;
  return "";
}

void add_side_by_side(std::string& text, const std::vector<Result>& results) {
  text += "\n## Side by side\n\n";
  for (const Result& result : results)
    text +=
        fmt::format("- {}: {} ({})\n", result.letter, plain(result.name),
                    plain(result.source.empty() ? text_at(result.document->run, "/id").value_or("") : result.source));
  text +=
      "\nA ratio is a result over the first, above 1 is better; it does not say whether that is more than noise.\n\n";
  add_joined_head(text, "Key number", results);
  for (const KeyRow& row : key_rows(results)) {
    std::vector<const CaseSummary*> cases;
    for (const auto& answer : row.answers) cases.push_back(answer ? answer->best : nullptr);
    add_joined_row(text, plain(row.question + (row.place.empty() ? "" : ", " + row.place)), cases, metric_of(cases));
  }
  add_beside_cpu(text, results);
  add_tensor_cores(text, results);
  add_launch_costs(text, results);
  add_transfers(text, results);
  text += "\n";
  add_joined_head(text, "Case", results);
  for (const JoinedCase& joined : joined_cases(results))
    add_joined_row(text, code(joined.first().record().id), joined.cases, metric_of(joined.cases));
}

/// The second thing to read: what makes numbers doubtful.
void add_digest(std::string& text, const std::vector<Result>& results) {
  for (const Result& result : results) {
    const std::string letter = results.size() > 1 ? result.letter + ": " : "";
    for (const std::string& doubt : result.run.doubts) text += fmt::format("\n{}{}\n", letter, plain(doubt));
    if (const std::string digest = doubts_text(result.run); !digest.empty())
      text += fmt::format("\n{}{}\n", letter, plain(digest));
  }
}

}  // namespace

std::string markdown_report(std::span<const Document> documents, const ReportOptions& options) {
  const std::vector<Result> results = results_of(documents, options);
  const std::vector<RunSummary> runs = runs_of(results);
  std::string text = fmt::format("# warpmark: {}\n\n{}\n", outcome_text(outcome_of(runs)), plain(verdict_text(runs)));
  add_digest(text, results);
  if (results.size() > 1) add_side_by_side(text, results);
  for (const Result& result : results) {
    const Document& document = *result.document;
    const std::string letter = results.size() > 1 ? result.letter + ": " : "";
    text += fmt::format("\n## Run {}{}\n\n", letter, plain(text_at(document.run, "/id").value_or("without a name")));
    if (results.size() > 1) text += plain(verdict_text({result.run})) + "\n\n";
    add_verdicts(text, result.verdicts);
    add_machine(text, document);
    add_key_numbers(text, result.run);
    if (results.size() == 1) {
      add_beside_cpu(text, results);
      add_tensor_cores(text, results);
      add_launch_costs(text, results);
      add_transfers(text, results);
    }
    add_steady(text, result.run);
    add_results(text, result.run);
    add_doubts(text, result.run);
    add_notes(text, document, result.run);
    add_missing(text, result.run);
    add_provenance(text, document, result.source);
  }
  return text;
}

}  // namespace warpmark
