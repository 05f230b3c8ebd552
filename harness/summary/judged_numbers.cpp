// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/judged_numbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "harness/core/benchmark.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/question.h"

namespace warpmark {
namespace {

using nlohmann::json;

// A product whose matrices take a quarter of that time to read is as much a matter of memory, and one that is over
// sooner than a launch pays off does not fill the card: their share of the ceiling says nothing about it.
constexpr double least_compute_over_memory = 4;
constexpr double least_seconds_at_ceiling = 50e-6;

// More arithmetic than that for what it moves, as on weights of few bits, and it may be what the bandwidth waits for.
constexpr double most_flops_of_byte = 0.5;

using Cases = std::vector<const CaseSummary*>;

const Figure* figure_of(const CaseSummary& one, std::string_view metric) {
  for (const Figure& figure : one.figures)
    if (figure.name == metric) return &figure;
  return nullptr;
}

bool is_derived(const Figure& figure) { return figure.ceiling_source.starts_with(name_of(CeilingKind::derived)); }

double memory_ceiling_of(const json& device) {
  double most = 0;
  const json& ceilings = part_of(device, "ceilings");
  if (!ceilings.is_object()) return most;
  for (const json& ceiling : ceilings)
    if (part_of(ceiling, "unit") == "B/s" && part_of(ceiling, "kind") == name_of(CeilingKind::derived))
      most = std::max(most, number_in(ceiling, "value").value_or(0));
  return most;
}

/// The share of its ceiling that a case usually reaches at least; 0 where its share says nothing.
double usual_share(const CaseSummary& one, const Figure& figure, double memory_ceiling) {
  if (!figure.share || !figure.ceiling || *figure.ceiling <= 0 || !is_derived(figure)) return 0;
  const Work& work = one.record().work;
  if (figure.unit == "B/s") return work.flops <= most_flops_of_byte * work.bytes() ? usual_memory_share : 0;
  if ((figure.unit != "FLOP/s" && figure.unit != "OP/s") || memory_ceiling <= 0) return 0;
  if (family_of(one.record().benchmark) != "gemm") return 0;
  const double computing = work.flops / *figure.ceiling, moving = work.bytes() / memory_ceiling;
  return computing >= least_seconds_at_ceiling && computing >= least_compute_over_memory * moving
             ? usual_arithmetic_share
             : 0;
}

/// The best of the cases that `range` gives one to; none where it gives none.
template <class Range>
std::optional<JudgedNumber> best_of(const Cases& cases, std::string_view metric, Range&& range) {
  std::optional<JudgedNumber> best;
  for (const CaseSummary* one : cases) {
    const Figure* const figure = figure_of(*one, metric);
    if (figure == nullptr) continue;
    const std::optional<JudgedNumber> number = range(*one, *figure);
    if (number && (!best || better_than(*number->figure, *best->figure))) best = number;
  }
  return best;
}

std::optional<JudgedNumber> by_band(const Cases& cases, std::string_view metric, const GpuBands& gpu) {
  for (const Band& band : gpu.bands) {
    const auto number =
        best_of(cases, metric, [&](const CaseSummary& one, const Figure& figure) -> std::optional<JudgedNumber> {
          if (figure.unit != band.unit || !band.is_about(one.record(), metric)) return std::nullopt;
          return JudgedNumber{.best = &one, .figure = &figure, .band = &band, .low = band.low, .high = band.high};
        });
    if (number) return number;
  }
  return std::nullopt;
}

std::optional<JudgedNumber> by_ceiling(const Cases& cases, std::string_view metric, double memory_ceiling) {
  return best_of(cases, metric, [&](const CaseSummary& one, const Figure& figure) -> std::optional<JudgedNumber> {
    const double share = usual_share(one, figure, memory_ceiling);
    if (share <= 0) return std::nullopt;
    return JudgedNumber{
        .best = &one, .figure = &figure, .low = share * *figure.ceiling, .high = ceiling_tolerance * *figure.ceiling};
  });
}

std::vector<std::string> metrics_of(const Cases& cases) {
  std::vector<std::string> metrics;
  std::set<std::string_view> seen;
  for (const CaseSummary* one : cases)
    for (const Figure& figure : one->figures)
      if (seen.insert(figure.name).second) metrics.push_back(figure.name);
  return metrics;
}

double ratio(double over, double under) { return under > 0 ? over / under : std::numeric_limits<double>::infinity(); }

}  // namespace

double JudgedNumber::reached() const {
  return figure->better == Better::higher ? ratio(figure->median, low) : ratio(high, figure->median);
}

double JudgedNumber::beyond() const {
  return figure->better == Better::higher ? ratio(figure->median, high) : ratio(low, figure->median);
}

std::string JudgedNumber::label() const {
  const Record& record = best->record();
  std::string text = record.benchmark + " " + arithmetic_of(record);
  for (const auto& [axis, value] : record.at.at) text += ", " + axis + "=" + text_of(value);
  return text;
}

std::vector<JudgedNumber> judged_numbers(const Cases& all, const json& device, const Reference& reference) {
  std::map<Question, Cases> questions;
  std::vector<const Cases*> order;
  for (const CaseSummary* one : all) {
    // What is usual is what a burst usually gives; a warm card, or one whose clock somebody fixed, gives less.
    if (!one->measured() || one->record().regime != "burst" || one->record().course) continue;
    const auto [entry, is_new] = questions.try_emplace(question_of(*one));
    if (is_new) order.push_back(&entry->second);
    entry->second.push_back(one);
  }
  const double memory_ceiling = memory_ceiling_of(device);
  std::vector<JudgedNumber> numbers;
  for (const Cases* cases : order) {
    for (const std::string& metric : metrics_of(*cases)) {
      std::optional<JudgedNumber> number;
      if (reference.bands != nullptr) number = by_band(*cases, metric, *reference.bands);
      if (!number && reference.ceilings_hold) number = by_ceiling(*cases, metric, memory_ceiling);
      if (number) numbers.push_back(*number);
    }
  }
  return numbers;
}

}  // namespace warpmark
