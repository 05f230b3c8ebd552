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

TimeBudget::TimeBudget(const TimeLimit& limit, const std::vector<PlannedCase>& cases, int repeats,
                       const Protocol& protocol, const DeviceInfo& device)
    : limit_(limit), start_seconds_(warpmark::start_seconds(device)) {
  if (!is_given()) return;
  const std::vector<const PlannedCase*> order = by_importance(cases);
  for (const PlannedCase* const planned : order) {
    const PlanSeconds range = estimate(*planned, protocol, device);
    cases_[planned->id] = {.family = std::string(family_of(planned->benchmark->name)),
                           .estimated = (range.least + range.most) / 2,
                           .least = planned->benchmark->lasts == nullptr ? 0 : planned->benchmark->lasts(planned->at)};
  }
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (const PlannedCase* const planned : order)
      if (repeat < planned->repeats_of(repeats)) by_importance_.emplace_back(planned->id, repeat);
}

std::string TimeBudget::text() const { return format_seconds(limit_.seconds.value_or(0)); }

void TimeBudget::took(const std::string& id, double seconds, bool is_measured) {
  if (!is_given()) return;
  Known& known = cases_.at(id);
  known.measured += seconds;
  ++known.count;
  if (!is_measured) return;
  measured_sum_ += seconds;
  estimated_sum_ += known.estimated;
}

double TimeBudget::expected(const Known& known) const {
  if (known.count > 0) return known.measured / known.count;
  const double scale = estimated_sum_ > 0 ? measured_sum_ / estimated_sum_ : 1;
  return std::max(known.least, scale * known.estimated);
}

void TimeBudget::walk(const IsDone& is_done, const std::function<bool(const MeasurementKey& key)>& take) const {
  std::set<std::pair<std::string_view, int>> workers;
  const double all = seconds_left();
  double room = all;
  for (const MeasurementKey& key : by_importance_) {
    if (room <= 0) return;
    if (is_done(key)) continue;
    const Known& known = cases_.at(key.first);
    const bool is_worker_needed = !workers.contains({known.family, key.second});
    const double cost = expected(known) + (is_worker_needed ? start_seconds_ : 0);
    if (cost > all) continue;
    if (cost > room) return;
    room -= cost;
    workers.emplace(known.family, key.second);
    if (!take(key)) return;
  }
}

std::set<MeasurementKey> TimeBudget::affordable(const IsDone& is_done) const {
  std::set<MeasurementKey> fits;
  walk(is_done, [&fits](const MeasurementKey& key) { return fits.insert(key).second; });
  return fits;
}

bool TimeBudget::affords(const MeasurementKey& wanted, const IsDone& is_done) const {
  bool found = !is_given();
  walk(is_done, [&](const MeasurementKey& key) {
    found = found || key == wanted;
    return !found;
  });
  return found;
}

double TimeBudget::seconds_left() const {
  if (!is_given()) return std::numeric_limits<double>::infinity();
  return *limit_.seconds - std::chrono::duration<double>(Clock::now() - limit_.began).count();
}

double TimeBudget::seconds_to_cut() const {
  constexpr double grace = 1.0 / 12;
  return is_given() ? std::max(0.0, seconds_left() + grace * *limit_.seconds) : seconds_left();
}

}  // namespace warpmark
