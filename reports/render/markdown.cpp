// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "harness/core/units.h"
#include "harness/summary/summary.h"
#include "reports/render/facts.h"
#include "reports/render/report.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

/// Text that Markdown and the HTML inside it leave as it is, on one line.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
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
  for (const char c : text) {
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
  add_facts(text, machine_facts(document.machine));
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
    add_row(text, {plain(full_case_text(one.record())), format_value(figure.median, figure.unit),
                   range_text(figure.low, figure.high, figure.unit), share_text(figure), plain(figure.ceiling_source)});
  }
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
      add_row(text, {code(one.record().id), plain(figure.name), format_value(figure.median, figure.unit),
                     range_text(figure.low, figure.high, figure.unit), share_text(figure),
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

}  // namespace

std::string markdown_report(std::span<const Document> documents, const ReportOptions& options) {
  std::vector<RunSummary> runs;
  for (const Document& document : documents) runs.push_back(summarise(document));
  std::string text = fmt::format("# warpmark: {}\n\n{}\n", outcome_text(outcome_of(runs)), plain(verdict_text(runs)));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += fmt::format("\n## Run {}\n\n", plain(text_at(documents[i].run, "/id").value_or(std::to_string(i + 1))));
    if (runs.size() > 1) text += plain(verdict_text({runs[i]})) + "\n\n";
    add_machine(text, documents[i]);
    add_key_numbers(text, runs[i]);
    add_results(text, runs[i]);
    add_doubts(text, runs[i]);
    add_missing(text, runs[i]);
    add_provenance(text, documents[i], i < options.sources.size() ? options.sources[i] : "");
  }
  return text;
}

}  // namespace warpmark
