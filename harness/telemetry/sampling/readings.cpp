// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/readings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "harness/telemetry/nvml/abi.h"
#include "harness/telemetry/sampling/held_down.h"

namespace warpmark {
namespace {

using nlohmann::json;
using Range = std::pair<std::deque<Reading>::const_iterator, std::deque<Reading>::const_iterator>;

constexpr std::size_t most_readings = 200'000;
constexpr double most_points = 240;  // five minutes in steps of 1.25 s
constexpr double least_point_seconds = 0.25;
constexpr double near_seconds = 0.25;  // what lies longer before a window says nothing about it

/// Digits beyond what any sensor has only make documents larger.
double rounded(double value) {
  constexpr double digits = 1e6;
  if (value == 0 || std::abs(value) >= digits) return std::round(value);
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

json of_values(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {{"median", rounded(*middle)}, {"min", rounded(*low)}, {"max", rounded(*high)}};
}

std::vector<double> known(const Range& range, Quantity quantity) {
  std::vector<double> values;
  for (auto each = range.first; each != range.second; ++each)
    if (const double value = (*each)[quantity]; !std::isnan(value)) values.push_back(value);
  return values;
}

/// What counters grow in, and the window that is asked about.
struct Grown {
  Range range{};
  double begin = 0, end = 0;

  /// How much it grew in the window, as if evenly between the readings around it: they seldom lie on its edges. NaN
  /// where it was not read at both ends, or fell: another counter of the same name.
  [[nodiscard]] double in_window(Counter counter) const {
    const double between = std::prev(range.second)->at_seconds - range.first->at_seconds;
    return by_readings(counter) * (between > 0 ? (end - begin) / between : 1);
  }
  [[nodiscard]] double by_readings(Counter counter) const {
    if (std::distance(range.first, range.second) < 2) return std::numeric_limits<double>::quiet_NaN();
    const double change = (*std::prev(range.second))[counter] - (*range.first)[counter];
    return change >= 0 ? change : std::numeric_limits<double>::quiet_NaN();
  }
};

void add_held_down(const Range& range, const Grown& grown, json& to) {
  const auto count = std::count_if(range.first, range.second, [](const Reading& r) { return r.reasons.has_value(); });
  if (count == 0) return;
  json held = json::array();
  const auto readings_with = [&range](std::uint64_t bits) {
    return std::count_if(range.first, range.second,
                         [bits](const Reading& r) { return (r.reasons.value_or(0) & bits) != 0; });
  };
  for (const auto& [bit, reason, counter, counted_too] : hold_bits()) {
    const auto hit = readings_with(bit);
    const bool is_told = counter && readings_with(counted_too) == 0;  // else the time is another's
    const double seconds = is_told ? std::min(grown.in_window(*counter), grown.end - grown.begin)
                                   : std::numeric_limits<double>::quiet_NaN();
    // Between two readings it may come and go: the driver has counted it.
    if (hit == 0 && !(seconds > 0)) continue;
    held.push_back({{"reason", reason->name},
                    {"kind", name_of(reason->kind)},
                    {"share", rounded(static_cast<double>(hit) / static_cast<double>(count))},
                    {"seconds", std::isnan(seconds) ? json(nullptr) : json(rounded(seconds))}});
  }
  to["held_down"] = std::move(held);
}

void add_counters(const Grown& grown, json& to) {
  for (const auto& [counter, name] : {std::pair{Counter::pcie_sent_bytes, "pcie_sent_bytes"},
                                      {Counter::pcie_received_bytes, "pcie_received_bytes"},
                                      {Counter::energy_j, "energy_j"}})
    if (const double amount = grown.in_window(counter); !std::isnan(amount)) to[name] = rounded(amount);
  const double all = grown.by_readings(Counter::cpu_seconds), stolen = grown.by_readings(Counter::steal_seconds);
  if (all > 0 && stolen >= 0) to["steal_share"] = rounded(std::min(1.0, stolen / all));
  if (const double periods = grown.by_readings(Counter::throttled_periods); !std::isnan(periods))
    to["throttled_periods"] = static_cast<std::int64_t>(periods);
}

/// The mean of each stretch of time: the course, not the extremes, which stand beside it.
class Series {
 public:
  Series(const Range& range, double begin, double end)
      : range_(range), begin_(begin), width_(std::max(least_point_seconds, (end - begin) / most_points)) {}

  /// Only "at" where nothing else was read.
  json points() const {
    json series{{"at", json::array()}};
    std::vector<Quantity> shown;
    for (const Quantity each : {Quantity::clock_hz, Quantity::power_w, Quantity::temperature_c})
      if (!known(range_, each).empty()) shown.push_back(each);
    for (const Quantity each : shown) series[name(each)] = json::array();
    const bool is_held = std::any_of(range_.first, range_.second, [](const Reading& r) { return is_held_down(r); });
    for (auto first = range_.first; first != range_.second;) {
      const double bin = std::floor((first->at_seconds - begin_) / width_);
      const auto last = std::find_if(first, range_.second, [&](const Reading& reading) {
        return std::floor((reading.at_seconds - begin_) / width_) > bin;
      });
      series["at"].push_back(rounded((first->at_seconds + std::prev(last)->at_seconds) / 2 - begin_));
      for (const Quantity each : shown) series[name(each)].push_back(mean({first, last}, each));
      if (is_held) series["held_down"].push_back(reasons_in({first, last}));
      first = last;
    }
    return series;
  }

 private:
  static std::string name(Quantity quantity) {
    return std::string(quantity_names.at(static_cast<std::size_t>(quantity)));
  }
  static bool is_held_down(const Reading& reading) {
    const auto bits = hold_bits();
    return std::any_of(bits.begin(), bits.end(), [&reading](const HoldBit& each) {
      return each.bit != nvml::reason_idle && (reading.reasons.value_or(0) & each.bit) != 0;
    });
  }
  /// Those of most readings.
  static json reasons_in(const Range& range) {
    json reasons = json::array();
    for (const HoldBit& each : hold_bits()) {
      const auto hit = std::count_if(range.first, range.second,
                                     [&each](const Reading& r) { return (r.reasons.value_or(0) & each.bit) != 0; });
      if (each.bit != nvml::reason_idle && 2 * hit > std::distance(range.first, range.second))
        reasons.push_back(each.reason->name);
    }
    return reasons;
  }
  static json mean(const Range& range, Quantity quantity) {
    const std::vector<double> values = known(range, quantity);
    if (values.empty()) return nullptr;
    double sum = 0;
    for (const double value : values) sum += value;
    return rounded(sum / static_cast<double>(values.size()));
  }

  const Range& range_;
  double begin_;
  double width_;
};

}  // namespace

void Readings::add(const Reading& reading) {
  if (++skipped_ < stride_) return;
  skipped_ = 0;
  readings_.push_back(reading);
  if (readings_.size() < most_readings) return;
  stride_ *= 2;
  std::deque<Reading> kept;
  for (std::size_t i = 0; i < readings_.size(); i += 2) kept.push_back(readings_[i]);
  readings_ = std::move(kept);
}

void Readings::forget_before(double seconds) {
  while (readings_.size() > 1 && readings_[1].at_seconds < seconds) readings_.pop_front();
  if (readings_.size() < most_readings / 4) stride_ = 1;
}

json Readings::between(double begin_seconds, double end_seconds) const {
  const auto earlier = [](const Reading& reading, double at) { return reading.at_seconds < at; };
  const Range range{std::lower_bound(readings_.begin(), readings_.end(), begin_seconds, earlier),
                    std::lower_bound(readings_.begin(), readings_.end(), end_seconds, earlier)};
  json to{{"readings", std::distance(range.first, range.second)}};
  if (range.first == range.second) return to;
  for (std::size_t i = 0; i < quantity_names.size(); ++i)
    if (std::vector<double> values = known(range, Quantity{i}); !values.empty())
      to[std::string(quantity_names.at(i))] = of_values(std::move(values));
  const bool has_before =
      range.first != readings_.begin() && begin_seconds - std::prev(range.first)->at_seconds < near_seconds;
  const Grown grown{.range = {has_before ? std::prev(range.first) : range.first, range.second},
                    .begin = begin_seconds,
                    .end = end_seconds};
  add_held_down(range, grown, to);
  add_counters(grown, to);
  if (json points = Series(range, begin_seconds, end_seconds).points(); points.size() > 1)
    to["series"] = std::move(points);
  return to;
}

}  // namespace warpmark
