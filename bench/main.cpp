// SPDX-License-Identifier: Apache-2.0
// The composition root: the one place that knows benchmarks, kernels, commands and pages at once.
#include <array>

#include "embedded/suites.h"
#include "harness/cli/app.h"
#include "harness/run/process.h"
#include "harness/run/thread_variables.h"
#include "reports/render/report.h"

namespace {

template <auto render>
std::string rendered(std::span<const warpmark::Document> documents, const std::vector<std::string>& sources,
                     const warpmark::BandTable& bands) {
  return render(documents, warpmark::ReportOptions{.sources = sources, .bands = &bands});
}

constexpr std::array formats{
    warpmark::ReportFormat{.name = "html", .extension = ".html", .render = rendered<warpmark::html_report>},
    warpmark::ReportFormat{.name = "md", .extension = ".md", .render = rendered<warpmark::markdown_report>},
    warpmark::ReportFormat{.name = "csv", .extension = ".csv", .render = rendered<warpmark::csv_report>},
    warpmark::ReportFormat{
        .name = "google-benchmark", .extension = ".gbench.json", .render = rendered<warpmark::google_benchmark_report>},
};

}  // namespace

int main(int argc, char** argv) {
  warpmark::drop_thread_variables(argv);
  warpmark::hold_standard_streams();
  return warpmark::run_command_line(
      {.suites = warpmark::embedded::suites(), .formats = formats, .command_line = {argv, argv + argc}});
}
