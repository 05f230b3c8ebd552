// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/console.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/summary/summary.h"

namespace warpmark {
namespace {

Ink ink_of(const CaseSummary& one) {
  if (exit_code_of(one.status) != ExitCode::done) return Ink::bad;
  if (one.status == Status::ok) return Ink::good;
  return one.measured() ? Ink::doubtful : Ink::faint;
}

std::string status_of(const CaseSummary& one) {
  if (one.complete() || !one.measured()) return std::string(name_of(one.status));
  return fmt::format("{} ({} of {} repeats measured)", name_of(one.status), one.usable, one.repeats.size());
}

std::string row(const CaseSummary& one, std::size_t width, const Terminal& terminal) {
  std::string value = "-";
  std::string spread = "-";
  std::string share = "-";
  if (one.measured()) {
    const Figure& figure = one.figures.front();
    value = format_rate(figure.median, figure.unit);
    spread = format_percent((figure.high - figure.low) / figure.median);
    if (figure.share) share = format_percent(*figure.share);
  }
  return fmt::format("{:<{}}  {:>13}  {:>8}  {:>10}  {}\n", printable(one.record().id), width, value, spread, share,
                     terminal.inked(status_of(one), ink_of(one)));
}

}  // namespace

std::string summary_table(const Document& document, const Terminal& terminal) {
  const RunSummary summary = summarise(document);
  std::size_t width = 4;
  for (const CaseSummary& one : summary.cases) width = std::max(width, printable(one.record().id).size());
  std::string text = terminal.inked(
      fmt::format("{:<{}}  {:>13}  {:>8}  {:>10}  status\n", "case", width, "median", "spread", "of ceiling"),
      Ink::strong);
  for (const CaseSummary& one : summary.cases) text += row(one, width, terminal);
  return text + fmt::format("{} of {} cases measured and verified in every repeat{}\n", summary.complete,
                            summary.cases.size(),
                            summary.partial == 0 ? "" : fmt::format(", {} in some", summary.partial));
}

}  // namespace warpmark
