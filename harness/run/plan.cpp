// SPDX-License-Identifier: Apache-2.0
#include "harness/run/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <utility>

#include "harness/backends/registry.h"
#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/core/pattern.h"
#include "harness/core/printable.h"

namespace warpmark {
namespace {

// More than any machine measures in a week. Axes multiply: without a bound, a short file could ask for more cases than
// memory holds.
constexpr std::size_t most_cases = 20'000;
constexpr std::size_t most_measurements = 1'000'000;

bool among(const std::vector<std::string>& allowed, std::string_view word) {
  return allowed.empty() || std::find(allowed.begin(), allowed.end(), word) != allowed.end();
}

/// From where on it takes any integer: its least one, or 1; empty where it takes none.
std::optional<std::int64_t> least_integer(const Axis& axis) {
  std::optional<std::int64_t> least;
  if (axis.takes_integers) least = 1;
  for (const AxisValue& own : axis.values)
    if (const auto* integer = std::get_if<std::int64_t>(&own))
      least = std::min({least.value_or(1), *integer, std::int64_t{1}});
  return least;
}

/// A word only where it is one of the axis's own.
bool takes(const Axis& axis, const AxisValue& value) {
  if (std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end()) return true;
  const auto least = least_integer(axis);
  const auto* const integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr && least && *integer >= *least;
}

/// "memory, and any integer from 1 on".
std::string what_it_takes(const Axis& axis) {
  std::vector<std::string> words;
  for (const AxisValue& value : axis.values)
    if (std::holds_alternative<std::string>(value)) words.push_back(text_of(value));
  const auto least = least_integer(axis);
  const std::string integers = least ? fmt::format("any integer from {} on", *least) : "";
  return fmt::format("{}{}{}", fmt::join(words, ", "), least && !words.empty() ? ", and " : "", integers);
}

/// Suites are files of their own: an axis that nothing selected has would be ignored quietly, a value that it does not
/// take would be measured as something else.
void check_axes(const Selection& selection, const std::vector<const Benchmark*>& selected, const Suite& suite) {
  for (const auto& [name, values] : selection.axes) {
    std::vector<std::string> known;
    const Axis* found = nullptr;
    for (const Benchmark* benchmark : selected) {
      for (const Axis& axis : benchmark->axes) {
        known.push_back(axis.name);
        if (axis.name == name) found = &axis;
      }
    }
    if (found == nullptr)
      throw UsageError(fmt::format("suite {}: nothing that '{}' selects has an axis '{}'; the nearest is {}",
                                   printable(suite.name), printable(selection.benchmarks), printable(name),
                                   nearest(name, known)));
    for (const AxisValue& value : values)
      if (!takes(*found, value))
        throw UsageError(fmt::format("suite {}: axis {} does not take '{}'; it takes {}", printable(suite.name), name,
                                     printable(text_of(value)), what_it_takes(*found)));
  }
}

std::vector<const Benchmark*> selected_by(const Selection& selection) {
  const std::regex names = pattern_of(selection.benchmarks);
  std::vector<const Benchmark*> selected;
  for (const Benchmark& benchmark : benchmarks())
    if (std::regex_search(benchmark.name, names)) selected.push_back(&benchmark);
  return selected;
}

/// Variants that something in this program has.
std::vector<std::string> all_variants() {
  std::vector<std::string> all;
  for (const Benchmark& benchmark : benchmarks())
    for (const KernelId& id : benchmark.kernels.ids()) all.push_back(id.variant);
  return all;
}

/// Where nothing has any of the variants, they may be those of a library or a processor that another build is for; but
/// not when they are slips of the pen, or belong to something else.
void check_variants(const Selection& selection, const std::vector<const Benchmark*>& selected, const Suite& suite) {
  std::vector<std::string> known;
  for (const Benchmark* benchmark : selected)
    for (const KernelId& id : benchmark->kernels.ids())
      if (among(selection.backends, id.backend)) known.push_back(id.variant);
  const auto exists = [&](const std::string& name) { return among(known, name); };
  if (selection.variants.empty() || known.empty() ||
      std::any_of(selection.variants.begin(), selection.variants.end(), exists))
    return;
  for (const std::string& variant : selection.variants)
    if (!near_enough(variant, known).empty() || !near_enough(variant, all_variants()).empty())
      throw UsageError(fmt::format("suite {}: nothing that '{}' selects has a variant '{}'; the nearest is {}",
                                   printable(suite.name), printable(selection.benchmarks), printable(variant),
                                   nearest(variant, known)));
}

void check_backends(const Selection& selection, const std::vector<const Benchmark*>& selected, const Suite& suite) {
  std::vector<std::string> known;
  for (const Backend& backend : backends()) known.emplace_back(backend.name);
  for (const Benchmark* benchmark : selected)
    for (const KernelId& id : benchmark->kernels.ids()) known.push_back(id.backend);
  for (const std::string& backend : selection.backends)
    if (!among(known, backend))
      throw UsageError(fmt::format("suite {}: there is no backend '{}'; the nearest is {}", printable(suite.name),
                                   printable(backend), nearest(backend, known)));
}

/// A suite file is written by hand: what it names and nothing has would be left out quietly.
void check_selection(const Selection& selection, const std::vector<const Benchmark*>& selected, const Suite& suite) {
  if (selected.empty()) {
    std::vector<std::string> names;
    for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
    throw UsageError(fmt::format("suite {}: '{}' selects no benchmark; the nearest is {}", printable(suite.name),
                                 printable(selection.benchmarks), nearest(selection.benchmarks, names)));
  }
  check_axes(selection, selected, suite);
  check_backends(selection, selected, suite);
  check_variants(selection, selected, suite);
}

/// What is planned, and where: a case that several selections select is one.
class Plan {
 public:
  void add(const Benchmark& benchmark, Case at, std::string id, const Selection& selection) {
    const auto [found, is_new] = places_.emplace(id, cases_.size());
    if (is_new) cases_.push_back(PlannedCase{.benchmark = &benchmark, .at = std::move(at), .id = std::move(id)});
    PlannedCase& planned = cases_[found->second];
    planned.gate |= selection.gate;
    planned.once |= selection.once;
  }
  [[nodiscard]] std::vector<PlannedCase> cases() && { return std::move(cases_); }

 private:
  std::vector<PlannedCase> cases_{};
  std::map<std::string, std::size_t> places_{};
};

void check_gates(const std::vector<PlannedCase>& cases, const Suite& suite, const DeviceInfo& device) {
  const auto gates = static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const PlannedCase& planned) { return planned.gate; }));
  if (gates <= most_gates) return;
  throw UsageError(fmt::format(
      "suite {}: {} cases on {} are gates; a comparison judges by {} at most, or it would find differences by chance. "
      "Set \"gate\" on fewer selections",
      printable(suite.name), gates, printable(device.id), most_gates));
}

/// How many cases a benchmark has on a backend, without making them; more than most_cases where it is more.
std::size_t case_count(const Benchmark& benchmark, std::string_view backend) {
  const std::vector<KernelId> kernels = benchmark.kernels.ids();
  const auto is_own = [&](const KernelId& kernel) { return kernel.backend == backend; };
  auto count = static_cast<std::size_t>(std::count_if(kernels.begin(), kernels.end(), is_own));
  count *= benchmark.modes.size();
  for (const Axis& axis : benchmark.axes) count = std::min(count, most_cases + 1) * axis.values.size();
  return count;
}

Benchmark with_axes_of(const Selection& selection, Benchmark benchmark) {
  for (Axis& axis : benchmark.axes)
    if (const auto given = selection.axes.find(axis.name); given != selection.axes.end()) axis.values = given->second;
  return benchmark;
}

std::regex compiled(const std::string& filter) {
  try {
    return pattern_of(filter);
  } catch (const std::regex_error& e) {
    throw UsageError(fmt::format("--filter '{}' is not a regular expression: {}", printable(filter), e.what()));
  }
}

[[noreturn]] void too_many_cases(const Suite& suite, const Benchmark& benchmark) {
  throw UsageError(fmt::format("suite {}: with {} its axes span more than {} cases; give them fewer values",
                               printable(suite.name), benchmark.name, most_cases));
}

[[noreturn]] void nothing_matches(const std::string& filter, const Suite& suite, const DeviceInfo& device,
                                  const std::vector<std::string>& ids) {
  if (ids.empty())
    throw UsageError(fmt::format("suite {} has no case for {}; `warpmark list benchmarks` shows what there is",
                                 printable(suite.name), printable(device.id)));
  throw UsageError(fmt::format("--filter '{}' matches no case of suite {}; the nearest is {}", printable(filter),
                               printable(suite.name), printable(nearest(filter, ids))));
}

// std::shuffle may differ between standard libraries; an order that a document records may not.
template <class T>
void shuffle(std::vector<T>& items, std::mt19937_64& engine) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[engine() % i]);
}

}  // namespace

std::vector<PlannedCase> plan_cases(const Suite& suite, const std::string& filter, const DeviceInfo& device,
                                    Regime regime) {
  const std::regex wanted = compiled(filter);
  Plan plan;
  std::vector<std::string> ids;
  std::size_t expanded = 0;  // also what others have already, and what is left out again
  for (const Selection& selection : suite.select) {
    const std::vector<const Benchmark*> selected = selected_by(selection);
    check_selection(selection, selected, suite);
    if (!among(selection.backends, device.backend)) continue;
    for (const Benchmark* const benchmark : selected) {
      const Benchmark spanned = with_axes_of(selection, *benchmark);
      expanded += case_count(spanned, device.backend);
      if (expanded > most_cases) too_many_cases(suite, *benchmark);
      for (Case& at : cases_of(spanned, device.backend)) {
        if (!among(selection.variants, at.kernel.variant) || !among(selection.modes, name_of(at.mode)) ||
            !among(selection.dtypes, name_of(at.kernel.dtype)))
          continue;
        std::string id = id_of(*benchmark, at, device.id, regime);
        ids.push_back(id);
        if (std::regex_search(id, wanted)) plan.add(*benchmark, std::move(at), std::move(id), selection);
      }
    }
  }
  std::vector<PlannedCase> planned = std::move(plan).cases();
  if (planned.empty()) nothing_matches(filter, suite, device, ids);
  check_gates(planned, suite, device);
  return planned;
}

std::vector<MeasurementKey> measurements_of(const std::vector<PlannedCase>& cases, int repeats) {
  std::vector<MeasurementKey> keys;
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (const PlannedCase& planned : cases)
      if (repeat < planned.repeats_of(repeats)) keys.emplace_back(planned.id, repeat);
  return keys;
}

void expect_few_enough(const std::vector<PlannedCase>& cases, int repeats) {
  const std::size_t most_repeats = most_measurements / std::max<std::size_t>(1, cases.size());
  if (static_cast<std::size_t>(repeats) > most_repeats)
    throw UsageError(fmt::format("{} cases with {} repeats are more than {} measurements; give fewer repeats",
                                 cases.size(), repeats, most_measurements));
}

std::vector<Shift> order_shifts(const std::vector<PlannedCase>& cases, int repeats, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<Shift> shifts;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::map<std::string, std::vector<std::string>> families;
    for (const PlannedCase& planned : cases)
      if (repeat < planned.repeats_of(repeats))
        families[std::string(family_of(planned.benchmark->name))].push_back(planned.id);
    for (auto& [family, ids] : families) {
      // Kernels enter the table in the order of linking: the order to begin with may not depend on it.
      std::sort(ids.begin(), ids.end());
      shifts.push_back(Shift{.repeat = repeat, .family = family, .ids = std::move(ids)});
      shuffle(shifts.back().ids, engine);
    }
  }
  shuffle(shifts, engine);
  return shifts;
}

Work expected_work(const PlannedCase& planned, const DeviceInfo& device) {
  try {
    return planned.benchmark->work(planned.at, device);
  } catch (const Error&) {
    return {};
  }
}

double deadline_seconds(const PlannedCase& planned, const Protocol& suite, const DeviceInfo& device) {
  constexpr double slowest_fill = 25e6;  // bytes a second, on a machine that swaps
  constexpr double slowest_flops = 1e8;  // a second; at least ten launches are made
  constexpr double start_up = 10;
  constexpr double longest = 24 * 3600;
  const Protocol protocol = protocol_of(*planned.benchmark, planned.at, suite);
  const double measuring = protocol.max_seconds + protocol.max_warmup_seconds;
  const Work work = expected_work(planned, device);
  return std::min(start_up + 10 * measuring + work.bytes() / slowest_fill + work.flops / slowest_flops, longest);
}

}  // namespace warpmark
