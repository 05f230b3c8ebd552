// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "harness/stats/order.h"
#include "harness/summary/doubts.h"
#include "harness/summary/question.h"

namespace warpmark {
namespace {

/// From the gravest down.
constexpr std::array gravity{Status::invalid, Status::failed,      Status::crashed,
                             Status::timeout, Status::denied,      Status::not_converged,
                             Status::skipped, Status::unsupported, Status::ok};

std::size_t rank_of(Status status) {
  return static_cast<std::size_t>(std::find(gravity.begin(), gravity.end(), status) - gravity.begin());
}

const Metric* metric_named(const Record& record, std::string_view name) {
  for (const Metric& metric : record.metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::optional<double> median_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return median(sorted(values));
}

std::optional<Figure> figure_of(const std::vector<const Record*>& repeats, const Metric& metric) {
  std::vector<double> values, shares, shares_at_clock;
  Figure figure{.name = metric.name,
                .unit = metric.unit,
                .better = metric.better,
                .ceiling = metric.ceiling,
                .ceiling_source = metric.ceiling_source};
  for (const Record* record : repeats) {
    const Metric* one = usable(*record) ? metric_named(*record, metric.name) : nullptr;
    if (one == nullptr || !std::isfinite(one->value)) continue;
    values.push_back(one->value);
    if (one->of_ceiling && std::isfinite(*one->of_ceiling)) shares.push_back(*one->of_ceiling);
    if (one->of_ceiling_at_clock && std::isfinite(*one->of_ceiling_at_clock))
      shares_at_clock.push_back(*one->of_ceiling_at_clock);
  }
  if (values.empty()) return std::nullopt;
  figure.median = *median_of(values);
  figure.low = *std::min_element(values.begin(), values.end());
  figure.high = *std::max_element(values.begin(), values.end());
  figure.share = median_of(shares);
  figure.share_at_clock = median_of(shares_at_clock);
  return figure;
}

/// Every metric that some usable repeat has; those that judge come first.
std::vector<Figure> figures_of(const std::vector<const Record*>& repeats) {
  std::vector<Figure> judging, informing;
  std::set<std::string> seen;
  for (const Record* record : repeats) {
    if (!usable(*record)) continue;
    for (const Metric& metric : record->metrics) {
      if (!seen.insert(metric.name).second) continue;
      if (std::optional<Figure> figure = figure_of(repeats, metric))
        (metric.gate ? judging : informing).push_back(*std::move(figure));
    }
  }
  judging.insert(judging.end(), std::make_move_iterator(informing.begin()), std::make_move_iterator(informing.end()));
  return judging;
}

/// Within a device and benchmark, which stand together, named places such as main memory come before the best over all
/// sizes, which is often a cache's.
void places_first(std::vector<Question>& questions) {
  for (auto first = questions.begin(); first != questions.end();) {
    const auto last = std::find_if(first, questions.end(), [first](const Question& each) {
      return std::get<0>(each) != std::get<0>(*first) || std::get<1>(each) != std::get<1>(*first);
    });
    std::stable_partition(first, last, [](const Question& each) { return !std::get<3>(each).empty(); });
    first = last;
  }
}

std::vector<KeyNumber> key_numbers_of(const std::vector<CaseSummary>& cases) {
  std::map<Question, KeyNumber> best;
  std::vector<Question> order;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].measured()) continue;
    const auto [entry, is_new] = best.try_emplace(question_of(cases[i]), KeyNumber{.best = i, .of = 0});
    KeyNumber& number = entry->second;
    ++number.of;
    if (is_new) order.push_back(entry->first);
    if (better_than(cases[i].figures.front(), cases[number.best].figures.front())) number.best = i;
  }
  places_first(order);
  std::vector<KeyNumber> numbers;
  numbers.reserve(order.size());
  for (const Question& question : order) numbers.push_back(best.at(question));
  return numbers;
}

std::optional<std::size_t> lowest_share_of(const std::vector<CaseSummary>& cases,
                                           const std::vector<KeyNumber>& numbers) {
  std::optional<std::size_t> lowest;
  double least = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<double> share = cases[numbers[i].best].figures.front().share;
    if (!share || (lowest && *share >= least)) continue;
    lowest = i;
    least = *share;
  }
  return lowest;
}

/// A run measures in random order, so that what changes with time does not pass for what changes with size; readers
/// want neighbours side by side. Integers of an axis come before its words.
void sort_for_reading(std::vector<CaseSummary>& cases, const nlohmann::json& devices) {
  std::map<std::string, std::size_t> rank;
  for (const nlohmann::json& device : devices)
    if (device.contains("id") && device["id"].is_string())
      rank.try_emplace(device["id"].get<std::string>(), rank.size());
  const auto key = [&rank](const Record& record) {
    const auto device = rank.find(record.device);
    return std::make_tuple(device == rank.end() ? rank.size() : device->second, std::cref(record.benchmark),
                           record.at.kernel.dtype, arithmetic_of(record), std::cref(record.at.at),
                           std::cref(record.at.kernel.variant), record.at.mode);
  };
  std::stable_sort(cases.begin(), cases.end(),
                   [&key](const CaseSummary& a, const CaseSummary& b) { return key(a.record()) < key(b.record()); });
}

std::vector<CaseSummary> cases_of(const std::vector<Record>& records) {
  std::vector<CaseSummary> cases;
  std::unordered_map<std::string_view, std::size_t> index;
  for (const Record& record : records) {
    const auto [entry, is_new] = index.try_emplace(record.id, cases.size());
    if (is_new) cases.emplace_back();
    cases[entry->second].repeats.push_back(&record);
  }
  for (CaseSummary& one : cases)
    std::stable_sort(one.repeats.begin(), one.repeats.end(),
                     [](const Record* a, const Record* b) { return a->repeat < b->repeat; });
  return cases;
}

}  // namespace

bool usable(const Record& record) {
  return measured(record.status) && record.verification && record.verification->ok();
}

std::size_t RunSummary::doubt_count() const {
  std::size_t count = doubts.size();
  for (const CaseSummary& one : cases) count += one.doubts.empty() ? 0 : 1;
  return count;
}

RunSummary summarise(const Document& document) {
  RunSummary summary;
  summary.cases = cases_of(document.records);
  sort_for_reading(summary.cases, document.devices);
  for (CaseSummary& one : summary.cases) {
    one.figures = figures_of(one.repeats);
    for (const Record* record : one.repeats) {
      if (usable(*record) && !one.figures.empty()) ++one.usable;
      if (rank_of(record->status) < rank_of(one.status)) one.status = record->status;
    }
    ++(one.usable == 0 ? summary.missing : one.complete() ? summary.complete : summary.partial);
  }
  find_doubts(document, summary);
  summary.key_numbers = key_numbers_of(summary.cases);
  summary.lowest_share = lowest_share_of(summary.cases, summary.key_numbers);
  return summary;
}

Totals totals_of(const std::vector<RunSummary>& runs) {
  Totals totals;
  for (const RunSummary& run : runs) {
    totals.complete += run.complete;
    totals.partial += run.partial;
    totals.missing += run.missing;
    totals.doubts += run.doubt_count();
    if (!run.lowest_share) continue;
    const CaseSummary& lowest = run.cases[run.key_numbers[*run.lowest_share].best];
    if (totals.lowest_share == nullptr || lowest.figures.front().share < totals.lowest_share->figures.front().share)
      totals.lowest_share = &lowest;
  }
  return totals;
}

Outcome outcome_of(const std::vector<RunSummary>& runs) {
  const Totals totals = totals_of(runs);
  if (totals.complete + totals.partial == 0) return Outcome::nothing;
  bool lost = false;
  for (const RunSummary& run : runs) {
    lost = lost || run.cut_short;
    for (const CaseSummary& one : run.cases) lost = lost || exit_code_of(one.status) != ExitCode::done;
  }
  if (lost) return Outcome::incomplete;
  return totals.doubts > 0 || totals.partial > 0 ? Outcome::doubtful : Outcome::clean;
}

}  // namespace warpmark
