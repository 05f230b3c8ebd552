// SPDX-License-Identifier: Apache-2.0
// Result documents as text for people and other tools. Functions in, text out: nothing is printed, no file is written,
// no clock is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/reference/bands.h"
#include "harness/store/document.h"

namespace warpmark {

struct ReportOptions {
  std::vector<std::string> sources{};  // the file name of each document, in their order; may be shorter
  const BandTable* bands = nullptr;    // what numbers are held against; null: the program's own
};

/// One self-contained page: charts, tables, provenance. It loads nothing and needs no script for its numbers.
[[nodiscard]] std::string html_report(std::span<const Document> documents, const ReportOptions& options);

/// GitHub-flavoured Markdown, to paste into an issue.
[[nodiscard]] std::string markdown_report(std::span<const Document> documents, const ReportOptions& options);

/// One line per record and metric, SI units, full precision; a number that is not known is an empty cell.
[[nodiscard]] std::string csv_report(std::span<const Document> documents, const ReportOptions& options);

/// JSON for Google Benchmark's tools/compare.py. One entry per repeat and not per sample: its U test takes entries for
/// independent, which repeats (processes) are and the samples of one process are not.
[[nodiscard]] std::string google_benchmark_report(std::span<const Document> documents, const ReportOptions& options);

}  // namespace warpmark
