// SPDX-License-Identifier: Apache-2.0
// The face of a run while it goes on: progress on standard error.
#pragma once

#include <chrono>
#include <string>

#include "harness/cli/terminal.h"
#include "harness/run/supervisor.h"

namespace warpmark {

/// "[####......] 12/42  0:19 elapsed, 0:47 left  <case>", as much of it as fits into a terminal's line. `current` is an
/// id and what follows it; its middle is left out where there is no room. Seconds left are negative where unknown.
struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  double elapsed_seconds = 0;
  double left_seconds = -1;
  std::string id{};
  int repeat = 0;
};
[[nodiscard]] std::string progress_line(const Progress& progress, std::size_t columns);

/// On a terminal one line that moves and is gone at the end; elsewhere one line per case.
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
  std::size_t before_ = 0;  // measured by an earlier run that this one resumes
  Progress progress_{};
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_{};
};

}  // namespace warpmark
