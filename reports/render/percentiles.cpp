// SPDX-License-Identifier: Apache-2.0
#include "reports/render/percentiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "harness/core/benchmark.h"
#include "harness/core/units.h"
#include "reports/render/wording.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// One line of the strip. All three are there.
struct Spread {
  const Result* result = nullptr;
  const CaseSummary* summary = nullptr;
  const Figure* middle = nullptr;
  const Figure* p99 = nullptr;
  const Figure* p999 = nullptr;
};

/// The words on a record's axes, such as the step of a graph: what numbers may not stand for.
std::string words_of(const Record& record) {
  std::string words;
  for (const auto& [axis, value] : record.at.at)
    if (const auto* word = std::get_if<std::string>(&value)) words.append("/").append(*word);
  return words;
}

/// Cases are in the order of their sizes, so the first one is the smallest.
std::vector<Spread> spreads_of(const std::vector<Result>& results) {
  std::vector<Spread> spreads;
  for (const Result& result : results) {
    std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
    for (const CaseSummary& one : result.run.cases) {
      if (!one.measured()) continue;
      const Record& record = one.record();
      const Figure& middle = one.figures.front();
      const Spread spread{.result = &result,
                          .summary = &one,
                          .middle = &middle,
                          .p99 = figure_named(&one, middle.name + "_p99"),
                          .p999 = figure_named(&one, middle.name + "_p999")};
      if (spread.p99 == nullptr || spread.p999 == nullptr) continue;
      if (middle.median <= 0) continue;  // on a logarithmic axis nowhere
      if (seen.emplace(record.benchmark, record.device, record.at.kernel.variant, words_of(record)).second)
        spreads.push_back(spread);
    }
  }
  return spreads;
}

std::string name_of(const Spread& spread, bool several) {
  const Record& record = spread.summary->record();
  std::string name = record.benchmark.substr(family_of(record.benchmark).size());
  name.erase(0, std::min<std::size_t>(name.size(), 1));
  std::replace(name.begin(), name.end(), '_', ' ');
  for (const auto& [axis, value] : record.at.at)
    if (std::holds_alternative<std::string>(value)) name += " " + text_of(value);
  return fmt::format("{}{}, {} {}", several ? spread.result->letter + " " : "", name, record.device,
                     record.at.kernel.variant);
}

std::string text_of(const Figure& figure) { return format_value(figure.median, figure.unit); }

json row_of(const Spread& spread, double factor, bool several) {
  return {{"series", name_of(spread, several)},
          {"result", spread.result->letter},
          {"p50", spread.middle->median / factor},
          {"p99", spread.p99->median / factor},
          {"p999", spread.p999->median / factor},
          {"p50_text", text_of(*spread.middle)},
          {"p99_text", text_of(*spread.p99)},
          {"p999_text", text_of(*spread.p999)},
          {"note", fmt::format("{}; of a thousand {}", text_of(*spread.middle), text_of(*spread.p999))},
          {"case", (several ? spread.result->letter + " " : "") + spread.summary->record().id}};
}

json table_of(const std::vector<Spread>& spreads, bool several) {
  json rows = json::array();
  for (const Spread& spread : spreads) {
    json cells = json::array();
    for (const Figure* figure : {spread.middle, spread.p99, spread.p999})
      cells.push_back({{"text", text_of(*figure)}, {"best", false}});
    rows.push_back({{"name", name_of(spread, several)}, {"cells", std::move(cells)}});
  }
  return {{"caption", "Medians over repeats, of the smallest case each."},
          {"sizes", {"Median", "Slowest of a hundred", "Slowest of a thousand"}},
          {"rows", std::move(rows)}};
}

}  // namespace

std::vector<Chart> percentile_charts(const std::vector<Result>& results) {
  const std::vector<Spread> spreads = spreads_of(results);
  if (spreads.empty()) return {};
  const bool several = results.size() > 1;
  double largest = 0;
  for (const Spread& spread : spreads) largest = std::max(largest, spread.middle->median);
  const Scale scale = scale_of(largest, "s");
  json rows = json::array();
  for (const Spread& spread : spreads) rows.push_back(row_of(spread, scale.factor, several));
  Chart chart{.title = "Slow launches beside usual ones", .bars = true};
  chart.description = fmt::format(
      "Strip of the median and the slowest of a hundred and of a thousand launches, {}. The table below the chart "
      "holds "
      "every number.",
      count_text(spreads.size(), "case"));
  chart.spec = empty_template("percentiles.vl.json");
  chart.spec["data"]["values"] = std::move(rows);
  chart.spec["description"] = chart.description;
  chart.spec["height"] = chart.spec["usermeta"]["row_height"].get<std::size_t>() * spreads.size();
  chart.spec["encoding"]["x"]["title"][0] = scale.unit + ", log scale";
  chart.table = table_of(spreads, several);
  return {std::move(chart)};
}

}  // namespace warpmark
