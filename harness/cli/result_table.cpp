// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/cli/case_label.h"
#include "harness/cli/text_layout.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

double spread_of(const Figure& figure) {
  return figure.median == 0 ? 0 : (figure.high - figure.low) / std::abs(figure.median);
}

/// Of a spread nobody needs three digits.
std::string percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0); }

Ink ink_of(const CaseSummary& one) {
  if (exit_code_of(one.status) != ExitCode::done) return Ink::bad;
  if (!one.measured()) return Ink::faint;
  const bool is_well = one.status == Status::ok && one.complete() && one.doubts.empty() && !repeats_differ(one);
  return is_well ? Ink::good : Ink::doubtful;
}

std::string status_of(const CaseSummary& one) {
  std::string name(name_of(one.status));
  if (!one.measured()) return name;
  const std::size_t all = one.repeats.size();
  if (exit_code_of(one.status) != ExitCode::done) return fmt::format("{} in {} of {}", name, all - one.usable, all);
  if (!one.complete()) return fmt::format("{} of {} repeats", one.usable, all);
  if (one.status != Status::ok) return name;
  if (repeats_differ(one)) return "repeats differ";
  return one.doubts.empty() ? name : fmt::format("{}, {}", name, counted(one.doubts.size(), "doubt"));
}

constexpr std::size_t column_count = 7;
using Cells = std::array<std::string, column_count>;
constexpr std::array is_number{false, false, false, true, true, true, false};

Cells cells_of(const ResultRow& row, bool with_notes) {
  const std::string note = with_notes && !row.note.empty() ? fmt::format(" ({})", row.note) : "";
  return {row.type, row.at, row.kernel + note, row.value, row.spread, row.share, row.status};
}

class WideTable {
 public:
  WideTable(const std::vector<ResultRow>& rows, std::string_view kernel_title, bool with_notes, std::size_t gap)
      : rows_(rows),
        gap_(gap),
        heads_({"", "", std::string(kernel_title), "median", "spread", "ceiling", "status"}),
        with_notes_(with_notes) {
    for (std::size_t i = 0; i < column_count; ++i) {
      widths_[i] = heads_[i].size();
      for (const ResultRow& row : rows) widths_[i] = std::max(widths_[i], cells_of(row, with_notes)[i].size());
    }
  }

  [[nodiscard]] std::size_t width() const {
    std::size_t width = 0;
    for (const std::size_t column : widths_) width += gap_ + column;
    return width;
  }

  [[nodiscard]] std::string text(const Terminal& terminal) const {
    std::string text = terminal.inked(line(heads_) + heads_.back(), Ink::strong) + "\n";
    std::string_view group;
    for (const ResultRow& row : rows_) {
      if (row.group != group) text += row.group + "\n";
      group = row.group;
      text += line(cells_of(row, with_notes_)) + terminal.inked(row.status, row.ink) + "\n";
    }
    return text;
  }

 private:
  /// All but the status, which has colour and no padding.
  [[nodiscard]] std::string line(const Cells& cells) const {
    std::string line(gap_, ' ');
    for (std::size_t i = 0; i + 1 < column_count; ++i)
      line += fmt::format(
          "{}{:{}}",
          is_number[i] ? fmt::format("{:>{}}", cells[i], widths_[i]) : fmt::format("{:<{}}", cells[i], widths_[i]), "",
          gap_);
    return line;
  }

  const std::vector<ResultRow>& rows_;
  std::size_t gap_;  // between two columns
  Cells heads_;
  bool with_notes_;
  std::array<std::size_t, column_count> widths_{};
};

std::string stacked(const std::vector<ResultRow>& rows, std::size_t columns, const Terminal& terminal) {
  std::string text;
  std::string_view group;
  for (const ResultRow& row : rows) {
    if (row.group != group) text += shortened(row.group, columns) + "\n";
    group = row.group;
    const CaseLabel label{.benchmark = row.type, .at = row.at, .kernel = row.kernel};
    text += "  " + shortened(label.text(), columns - 2) + "\n";
    const std::string value = row.value == "-" ? "" : row.value + ", ";
    text += "    " + value + terminal.inked(row.status, row.ink) + "\n";
    const std::string spread = row.spread == "-" ? "" : "spread " + row.spread;
    const std::string share = row.share == "-" ? "" : row.share + " of ceiling";
    const char* const comma = spread.empty() || share.empty() ? "" : ", ";
    text += paragraph(fmt::format("{}{}{}", spread, comma, share), Columns{.label = 4, .end = columns});
  }
  return text;
}

}  // namespace

bool repeats_differ(const CaseSummary& one) { return one.measured() && spread_of(one.figures.front()) > wide_spread; }

ResultRow row_of(const CaseSummary& one, bool with_device) {
  CaseLabel label = label_of(one.record());
  ResultRow row{.group = std::move(label.benchmark),
                .type = std::move(label.type),
                .at = std::move(label.at),
                .kernel = std::move(label.kernel),
                .value = "-",
                .spread = "-",
                .share = "-",
                .status = status_of(one),
                .ink = ink_of(one)};
  if (with_device) row.group += " on " + printable(one.record().device);
  if (!one.measured()) return row;
  const Figure& figure = one.figures.front();
  row.value = format_rate(figure.median, printable(figure.unit));
  if (one.usable > 1) row.spread = percent(spread_of(figure));
  if (figure.share) row.share = format_percent(*figure.share);
  return row;
}

std::string result_table(const std::vector<ResultRow>& rows, std::string_view kernel_title, std::size_t columns,
                         const Terminal& terminal) {
  for (const auto& [with_notes, gap] : {std::pair{true, 2U}, std::pair{false, 2U}, std::pair{false, 1U}}) {
    const WideTable table(rows, kernel_title, with_notes, gap);
    if (table.width() <= columns) return table.text(terminal);
  }
  return stacked(rows, std::max<std::size_t>(columns, 20), terminal);
}

}  // namespace warpmark
