// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/console.h"
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
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, '.'));
}

std::string outcome_line(const Record& record) {
  std::string text = fmt::format("{} repeat {}: {}", record.id, record.repeat, name_of(record.status));
  for (const Metric& metric : record.metrics) text += ", " + format_rate(metric.value, metric.unit);
  if (!record.why.empty()) text += " (" + printable(record.why) + ")";
  return text;
}

}  // namespace

ProgressConsole::~ProgressConsole() {
  if (drawn_) terminal_.rewrite_line("");
}

void ProgressConsole::planned(std::size_t measurements, std::size_t done) {
  total_ = measurements;
  before_ = done_ = done;
  start_ = std::chrono::steady_clock::now();
  if (done > 0) terminal_.write(fmt::format("{} of {} measurements are in the journal\n", done, measurements));
}

void ProgressConsole::begun(const std::string& id, int repeat, bool /*quiet*/) {
  current_ = fmt::format("{} repeat {}", id, repeat);
  if (terminal_.interactive()) draw();
}

void ProgressConsole::recorded(const Record& record) {
  ++done_;
  if (!terminal_.interactive()) {
    terminal_.write(fmt::format("[{}/{}] {}\n", done_, total_, outcome_line(record)));
  } else if (ink_of(record.status) == Ink::bad) {
    terminal_.rewrite_line("");
    terminal_.write(terminal_.inked(outcome_line(record), Ink::bad) + "\n");
  }
}

void ProgressConsole::waiting() {
  if (terminal_.interactive()) draw();
}

void ProgressConsole::draw() {
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::size_t fresh = done_ - before_;
  const std::string left =
      fresh == 0 ? "?" : clock_text(elapsed / static_cast<double>(fresh) * static_cast<double>(total_ - done_));
  terminal_.rewrite_line(fmt::format("{} {}/{}  {} gone, {} left  {}", bar(done_, total_), done_, total_,
                                     clock_text(elapsed), left, current_));
  drawn_ = true;
}

}  // namespace warpmark
