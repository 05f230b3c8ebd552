// SPDX-License-Identifier: Apache-2.0
// Result documents: reading one, summing it up, and every form in which a person or a tool gets to see it.
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/cli/run_summary.h"
#include "harness/store/document.h"
#include "harness/store/json_text.h"
#include "harness/summary/summary.h"
#include "reports/render/report.h"
#include "tests/fuzz/csv_cells.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/marks.h"
#include "tests/fuzz/memory_file.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::optional<Document> document_in(std::string_view text) {
  const MemoryFile file(text);
  return unless_refused([&] { return read_document(file.path()); });
}

void expect_the_same_once_written(const Document& document) {
  const std::string text = line_of(to_json(document));
  const std::optional<Document> again = document_in(text);
  expect(again.has_value(), "what was read can be read once it is written");
  expect(line_of(to_json(*again)) == text, "what was read is the same once it is written");
}

void expect_sums_that_agree(const Document& document) {
  const RunSummary run = summarise(document);
  std::size_t repeats = 0;
  for (const CaseSummary& one : run.cases) {
    repeats += one.repeats.size();
    expect(one.usable <= one.repeats.size(), "no more repeats are usable than there are");
    for (const Figure& figure : one.figures)
      expect(figure.low <= figure.median && figure.median <= figure.high, "a median lies within its range");
  }
  expect(repeats == document.records.size(), "every record belongs to one case");
  expect(run.complete + run.partial + run.missing == run.cases.size(), "every case is complete, partial or missing");
  for (const KeyNumber& number : run.key_numbers)
    expect(number.best < run.cases.size() && run.cases[number.best].measured(), "a key number was measured");
}

void expect_whole_table(const std::string& csv, std::span<const Document> documents) {
  std::size_t rows = 1;
  for (const Document& document : documents)
    for (const Record& record : document.records) rows += std::max<std::size_t>(record.metrics.size(), 1);
  const std::vector<std::size_t> cells = csv_cells(csv);
  expect(cells.size() == rows, "the CSV has a line for each metric");
  for (const std::size_t count : cells) expect(count == cells.front(), "each line of the CSV is as wide as its head");
}

void expect_reports_without_marks(std::span<const Document> documents) {
  const ReportOptions options{.sources = std::vector<std::string>(documents.size(), "a" + std::string(marked_text))};
  expect(html_report(documents, options).find(mark) == std::string::npos, "no text becomes markup of the page");
  expect(!has_mark_outside_code(markdown_report(documents, options)), "no text becomes markup in Markdown");
  expect_whole_table(csv_report(documents, options), documents);
  expect(json::parse(google_benchmark_report(documents, options)).at("benchmarks").is_array(),
         "the report for Google Benchmark's tools is JSON");
  for (const Document& document : documents)
    expect_harmless(run_summary(document, {.all = true, .columns = 60, .report = "report"}, Terminal(stdout)));
}

}  // namespace

bool fuzz(std::string_view input) {
  choose_colour(Colour::never);
  std::optional<Document> document = document_in(input);
  if (!document) return false;
  expect_the_same_once_written(*document);
  expect_sums_that_agree(*document);
  // Marks change what a text means, such as the name of a backend, so every other document goes without.
  if (input.size() % 2 == 0) add_marks(*document);
  const std::vector<Document> documents(1 + input.size() / 2 % 2, *document);
  expect_reports_without_marks(documents);
  return true;
}

}  // namespace warpmark
