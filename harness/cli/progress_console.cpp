// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/progress_console.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/case_label.h"
#include "harness/cli/early_interrupts.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

Ink ink_of(Status status) {
  switch (status) {
    case Status::ok: return Ink::good;
    case Status::failed:
    case Status::crashed:
    case Status::timeout:
    case Status::invalid: return Ink::bad;
    case Status::not_converged: return Ink::doubtful;
    default: return Ink::faint;
  }
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar(std::size_t done, std::size_t total) {
  constexpr std::size_t width = 20;
  const std::size_t full = total == 0 ? 0 : width * done / total;
  return fmt::format("[{}{}] ", std::string(full, '#'), std::string(width - full, '.'));
}

std::string outcome_line(const Record& record) {
  std::string text = fmt::format("{} repeat {}: {}", record.id, record.repeat + 1, name_of(record.status));
  if (!record.metrics.empty())  // the headline; a name would be needed to tell others apart
    text += ", " + format_value(record.metrics.front().value, printable(record.metrics.front().unit));
  if (!record.why.empty()) text += " (" + printable(record.why) + ")";
  return text;
}

}  // namespace

std::string progress_line(const Progress& progress, std::size_t columns) {
  constexpr std::size_t least_id = 24;
  std::string times =
      fmt::format("{}/{}  {} elapsed", progress.done, progress.total, clock_text(progress.elapsed_seconds));
  if (progress.left_seconds >= 0) times += fmt::format(", {} left", clock_text(progress.left_seconds));
  const std::string repeat = fmt::format(" repeat {}", progress.repeat + 1);
  // The bar goes first: its number stays.
  std::string line = bar(progress.done, progress.total) + times;
  if (line.size() + 2 + std::min(progress.id.size(), least_id) + repeat.size() > columns) line = times;
  if (progress.id.empty() || line.size() + 2 >= columns) return line.substr(0, columns);
  const std::size_t room = columns - line.size() - 2;
  if (room < least_id / 2 + repeat.size()) return line + "  " + shortened(progress.id, room);
  return line + "  " + shortened(progress.id, room - repeat.size()) + repeat;
}

ProgressConsole::~ProgressConsole() {
  if (drawn_) terminal_.rewrite_line("");
}

void ProgressConsole::planned(std::size_t measurements, std::size_t done) {
  EarlyInterrupts::all_is_saved();  // from here on a signal has the run save what it has
  progress_.total = measurements;
  before_ = progress_.done = done;
  start_ = std::chrono::steady_clock::now();
  if (done > 0) terminal_.write(fmt::format("{} of {} measurements are in the journal\n", done, measurements));
}

void ProgressConsole::begun(const std::string& id, int repeat, bool /*quiet*/) {
  progress_.id = id;
  progress_.repeat = repeat;
  if (terminal_.interactive()) draw();
}

void ProgressConsole::recorded(const Record& record) {
  ++progress_.done;
  if (!terminal_.interactive()) {
    terminal_.write(fmt::format("[{}/{}] {}\n", progress_.done, progress_.total, outcome_line(record)));
  } else if (ink_of(record.status) == Ink::bad) {
    terminal_.rewrite_line("");
    terminal_.write(terminal_.inked(outcome_line(record), Ink::bad) + "\n");
  }
}

void ProgressConsole::waiting() {
  if (terminal_.interactive()) draw();
}

void ProgressConsole::draw() {
  progress_.elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::size_t fresh = progress_.done - before_;
  if (fresh > 0)
    progress_.left_seconds =
        progress_.elapsed_seconds / static_cast<double>(fresh) * static_cast<double>(progress_.total - progress_.done);
  terminal_.rewrite_line(progress_line(progress_, terminal_.columns() - 1));
  drawn_ = true;
}

}  // namespace warpmark
