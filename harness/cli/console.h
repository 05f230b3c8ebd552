// SPDX-License-Identifier: Apache-2.0
// The face of a run: progress on standard error, the summary table on standard output.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "harness/cli/terminal.h"
#include "harness/run/supervisor.h"

namespace warpmark {

/// On a terminal one line that moves: bar, case, elapsed, time left. Elsewhere one line per case.
class ProgressConsole final : public RunObserver {
 public:
  explicit ProgressConsole(std::FILE* stream) : terminal_(stream) {}
  ~ProgressConsole() override;

  void planned(std::size_t measurements, std::size_t done) override;
  void begun(const std::string& id, int repeat, bool quiet) override;
  void recorded(const Record& record) override;
  void waiting() override;

 private:
  void draw();

  Terminal terminal_;
  std::size_t total_ = 0;
  std::size_t before_ = 0;  // measured by an earlier run that this one resumes
  std::size_t done_ = 0;
  std::string current_{};
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_{};
};

/// One row per case: headline over the repeats, its spread, its share of the ceiling, its status; then one line that
/// counts.
[[nodiscard]] std::string summary_table(const Document& document, const Terminal& terminal);

}  // namespace warpmark
