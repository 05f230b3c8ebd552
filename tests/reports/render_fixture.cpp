// SPDX-License-Identifier: Apache-2.0
// Renders documents as `warpmark report` does, so that pages can be tested without the command line: FORMAT OUTPUT RESULT.json...
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "harness/store/document.h"
#include "reports/render/report.h"

namespace {

std::string rendered(const std::string& format, std::span<const warpmark::Document> documents, const warpmark::ReportOptions& options) {
  if (format == "html") return warpmark::html_report(documents, options);
  if (format == "md") return warpmark::markdown_report(documents, options);
  if (format == "csv") return warpmark::csv_report(documents, options);
  return warpmark::google_benchmark_report(documents, options);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3) return std::fputs("usage: render_fixture html|md|csv|google-benchmark OUTPUT RESULT.json...\n", stderr), 2;
  std::vector<warpmark::Document> documents;
  warpmark::ReportOptions options;
  for (std::size_t i = 2; i < words.size(); ++i) {
    documents.push_back(warpmark::read_document(words[i]));
    options.sources.push_back(words[i].substr(words[i].rfind('/') + 1));
  }
  std::ofstream(words[1]) << rendered(words[0], documents, options);
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "render_fixture: %s\n", error.what()), 2;
}
