// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/units.h"
#include "reports/render/page_parts.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::string spread_text(const CaseSummary& one, const Figure& figure) {
  if (one.usable == 1) return "one repeat";
  return fmt::format("{} over {} repeats", range_text(figure.low, figure.high, figure.unit), one.usable);
}

/// What the best case won against: "best of nt, plain"; nothing where there was nothing else.
std::string against_text(const KeyAnswer& answer) {
  return answer.variants.size() > 1 ? fmt::format("best of {}", fmt::join(answer.variants, ", ")) : "";
}

std::string kind_of_ceiling(const std::string& source) { return source.substr(0, source.find(':')); }

/// Why there is no ceiling, without the kind that says so once more.
std::string why_no_ceiling(const std::string& source) {
  constexpr std::string_view kind = "unknown: ";
  return source.starts_with(kind) ? source.substr(kind.size()) : source;
}

/// The variant that won, the size at which it did, and the mode, which changes what a number means.
std::string winner_text(const KeyAnswer& answer) {
  const Record& record = answer.best->record();
  std::string text = record.at.kernel.variant;
  for (const auto& [axis, value] : record.at.at)
    if (std::holds_alternative<std::int64_t>(value)) text += fmt::format(", {} {}", axis, axis_text(axis, value));
  return text.append(", ").append(name_of(record.at.mode));
}

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json card_of(const KeyRow& row) {
  const KeyAnswer& answer = *row.answers.front();
  const CaseSummary& one = *answer.best;
  const Figure& figure = one.figures.front();
  const std::string text = format_value(figure.median, figure.unit);
  const std::size_t space = std::min(text.find(' '), text.size());
  json card{{"question", row.question},
            {"place", row.place},
            {"amount", text.substr(0, space)},
            {"unit", text.substr(std::min(space + 1, text.size()))},
            {"spread", spread_text(one, figure)},
            {"source", why_no_ceiling(figure.ceiling_source)},
            {"winner", winner_text(answer)},
            {"against", against_text(answer)},
            {"kind", kind_of_ceiling(figure.ceiling_source)},
            {"beside", or_null(answer.beside_cpu)},
            {"id", one.record().id}};
  for (const char* absent : {"share", "width", "ceiling", "doubt"}) card[absent] = nullptr;
  card["status"] = std::string(name_of(one.status));
  if (!one.doubts.empty()) card["doubt"] = one.status == Status::ok ? "doubt" : status_text(one.status);
  if (!figure.share) return card;
  card["share"] = share_text(figure);
  card["width"] = fmt::format("{:.1f}", std::clamp(*figure.share * 100, 0.0, 100.0));
  card["ceiling"] = format_value(figure.ceiling.value_or(unknown_value), figure.unit);
  return card;
}

json cell_of(const std::optional<KeyAnswer>& answer) {
  json cell{{"text", nullptr},  {"share", nullptr}, {"winner", ""},     {"against", nullptr},
            {"doubt", nullptr}, {"status", ""},     {"beside", nullptr}};
  if (!answer) return cell;
  const Figure& figure = answer->best->figures.front();
  cell["text"] = format_value(figure.median, figure.unit);
  cell["winner"] = winner_text(*answer);
  cell["against"] = or_null(against_text(*answer));
  cell["beside"] = or_null(answer->beside_cpu);
  if (figure.share) cell["share"] = share_text(figure) + " of the ceiling";
  cell["status"] = std::string(name_of(answer->best->status));
  if (!answer->best->doubts.empty())
    cell["doubt"] = answer->best->status == Status::ok ? "doubt" : status_text(answer->best->status);
  return cell;
}

/// "1.07× A", or null.
json ratio_of(const KeyRow& row, std::size_t index) {
  if (index == 0 || !row.answers[0] || !row.answers[index]) return nullptr;
  const CaseSummary* first = row.answers[0]->best;
  const auto ratio = ratio_to(first, row.answers[index]->best, first->figures.front().name);
  return ratio ? json(ratio_text(ratio) + " A") : json(nullptr);
}

json table_row(const KeyRow& row) {
  json cells = json::array();
  for (std::size_t i = 0; i < row.answers.size(); ++i) {
    cells.push_back(cell_of(row.answers[i]));
    cells.back()["ratio"] = ratio_of(row, i);
  }
  return {{"question", row.question}, {"place", row.place}, {"cells", std::move(cells)}};
}

json tensor_cores_of(const std::vector<Result>& results) {
  json notes = json::array();
  for (const TensorCoreNote& note : tensor_core_notes(results))
    notes.push_back({{"line", note.line},
                     {"losses", note.losses},
                     {"has_losses", !note.losses.empty()},
                     {"loss_count", note.losses.size()}});
  return notes;
}

}  // namespace

void add_key_numbers(json& page, const std::vector<Result>& results) {
  const std::vector<KeyRow> rows = key_rows(results);
  page["key_cards"] = page["key_table"] = page["more_key_numbers"] = json::array();
  for (const KeyRow& row : rows) {
    if (!row.headline)
      page["more_key_numbers"].push_back(table_row(row));
    else if (results.size() > 1)
      page["key_table"].push_back(table_row(row));
    else
      page["key_cards"].push_back(card_of(row));
  }
  page["has_key_numbers"] = !rows.empty();
  page["has_key_cards"] = !page["key_cards"].empty();
  page["has_key_table"] = !page["key_table"].empty();
  page["has_more_key_numbers"] = !page["more_key_numbers"].empty();
  page["tensor_cores"] = tensor_cores_of(results);
  page["launch_costs"] = launch_cost_lines(results);
  page["transfers"] = transfer_notes(results);
  page["has_transfers"] = !page["transfers"].empty();
  page["more_key_count"] = page["more_key_numbers"].size();
}

}  // namespace warpmark
