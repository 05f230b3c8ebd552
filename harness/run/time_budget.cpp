// SPDX-License-Identifier: Apache-2.0
#include "harness/run/time_budget.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "harness/core/units.h"
#include "harness/run/plan_estimate.h"

namespace warpmark {
namespace {

/// By case, its place among those of its benchmark, from the last one on, and then its benchmark's in the plan.
std::vector<const PlannedCase*> by_importance(const std::vector<PlannedCase>& cases) {
  std::map<std::string_view, std::size_t> seen;
  std::vector<std::tuple<std::size_t, std::size_t, const PlannedCase*>> order;
  for (std::size_t i = cases.size(); i-- > 0;) order.emplace_back(seen[cases[i].benchmark->name]++, i, &cases[i]);
  std::sort(order.begin(), order.end());
  std::vector<const PlannedCase*> sorted;
  for (const auto& [place, index, planned] : order) sorted.push_back(planned);
  return sorted;
}

}  // namespace

TimeBudget::TimeBudget(std::optional<double> seconds, Clock::time_point began, const std::vector<PlannedCase>& cases,
                       const Protocol& protocol, const DeviceInfo& device)
    : seconds_(seconds), began_(began), start_seconds_(warpmark::start_seconds(device)) {
  std::size_t rank = 0;
  for (const PlannedCase* const planned : by_importance(cases)) {
    const PlanSeconds range = estimate(*planned, protocol, device);
    cases_[planned->id] = {.rank = rank++,
                           .family = std::string(family_of(planned->benchmark->name)),
                           .estimated = (range.least + range.most) / 2};
  }
}

std::string TimeBudget::text() const { return format_seconds(seconds_.value_or(0)); }

void TimeBudget::took(const std::string& id, double seconds) {
  Known& known = cases_.at(id);
  known.measured += seconds;
  ++known.count;
  measured_sum_ += seconds;
  estimated_sum_ += known.estimated;
}

double TimeBudget::expected(const Known& known) const {
  if (known.count > 0) return known.measured / known.count;
  return estimated_sum_ > 0 ? known.estimated * measured_sum_ / estimated_sum_ : known.estimated;
}

std::set<MeasurementKey> TimeBudget::affordable(std::vector<MeasurementKey> left) const {
  if (!is_given()) return {left.begin(), left.end()};
  std::sort(left.begin(), left.end(), [this](const MeasurementKey& a, const MeasurementKey& b) {
    return std::tuple(a.second, cases_.at(a.first).rank) < std::tuple(b.second, cases_.at(b.first).rank);
  });
  std::set<MeasurementKey> fits;
  std::set<std::pair<std::string_view, int>> workers;
  const double all = seconds_left();
  double room = all;
  for (const MeasurementKey& key : left) {
    const Known& known = cases_.at(key.first);
    const bool is_worker_needed = !workers.contains({known.family, key.second});
    const double cost = expected(known) + (is_worker_needed ? start_seconds_ : 0);
    if (cost > all) continue;
    if (cost > room) break;
    room -= cost;
    workers.emplace(known.family, key.second);
    fits.insert(key);
  }
  return fits;
}

double TimeBudget::seconds_left() const {
  if (!is_given()) return std::numeric_limits<double>::infinity();
  return *seconds_ - std::chrono::duration<double>(Clock::now() - began_).count();
}

double TimeBudget::seconds_to_cut() const {
  constexpr double grace = 1.0 / 12;
  return is_given() ? std::max(0.0, seconds_left() + grace * *seconds_) : seconds_left();
}

}  // namespace warpmark
