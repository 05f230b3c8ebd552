// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/launch_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/core/benchmark.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

/// The measured cases of a device that `is` holds for.
template <class Is>
std::vector<const CaseSummary*> cases_of(const RunSummary& run, const std::string& device, const Is& is) {
  std::vector<const CaseSummary*> all;
  for (const CaseSummary& one : run.cases)
    if (one.measured() && one.record().device == device && is(one.record())) all.push_back(&one);
  return all;
}

double headline_of(const CaseSummary* one) { return one->figures.front().median; }

std::optional<double> least_seconds(const RunSummary& run, const std::string& device, std::string_view benchmark) {
  std::optional<double> least;
  for (const CaseSummary* one : cases_of(run, device, [&](const Record& r) { return r.benchmark == benchmark; }))
    least = std::min(least.value_or(headline_of(one)), headline_of(one));
  return least;
}

bool is_in_memory(const Record& record) {
  return std::any_of(record.at.at.begin(), record.at.at.end(),
                     [](const auto& axis) { return axis.first == "footprint" && text_of(axis.second) == "memory"; });
}

const CaseSummary* fastest(const std::vector<const CaseSummary*>& cases) {
  const auto found = std::max_element(cases.begin(), cases.end(), [](const CaseSummary* a, const CaseSummary* b) {
    return headline_of(a) < headline_of(b);
  });
  return found == cases.end() ? nullptr : *found;
}

/// What is moved and computed in a second, at best.
struct Rates {
  const CaseSummary* memory = nullptr;
  const CaseSummary* triad = nullptr;
  const CaseSummary* product = nullptr;
};

Rates rates_of(const RunSummary& run, const std::string& device) {
  const auto in_memory = [&](std::string_view benchmark, std::optional<DType> dtype) {
    return fastest(cases_of(run, device, [&](const Record& r) {
      return (benchmark.empty() ? family_of(r.benchmark) == "memory" : r.benchmark == benchmark) && is_in_memory(r) &&
             (!dtype || r.at.kernel.dtype == *dtype);
    }));
  };
  const CaseSummary* const f64 = in_memory("memory/triad", DType::f64);
  return {.memory = in_memory("", std::nullopt),
          .triad = f64 != nullptr ? f64 : in_memory("memory/triad", DType::f32),
          .product = fastest(cases_of(run, device, [](const Record& r) { return r.benchmark == "gemm/square"; }))};
}

std::optional<BreakEven> break_even(std::optional<double> seconds, const Rates& rates) {
  if (!seconds) return std::nullopt;
  BreakEven even;
  if (rates.memory != nullptr) even.bytes = *seconds * headline_of(rates.memory);
  if (rates.triad != nullptr) {
    const DType dtype = rates.triad->record().at.kernel.dtype;
    even.elements = *seconds * headline_of(rates.triad) / (3.0 * static_cast<double>(size_of(dtype)));
    even.of_type = name_of(dtype);
  }
  if (rates.product != nullptr) {
    even.n = std::cbrt(*seconds * headline_of(rates.product) / 2);  // 2 n^3 operations
    even.arithmetic = arithmetic_of(rates.product->record());
  }
  return even;
}

std::string text_of(const BreakEven& even) {
  std::string text;
  if (even.bytes > 0) text += fmt::format(", {} through memory", format_value(even.bytes, "B"));
  if (even.elements > 0) text += fmt::format(", a triad of {:.0f} elements of {}", even.elements, even.of_type);
  if (even.n > 0) text += fmt::format(", a product of n = {:.0f} in {}", even.n, even.arithmetic);
  return text.empty() ? "" : " (as long as" + text.substr(1) + ")";
}

}  // namespace

std::vector<LaunchCosts> launch_costs(const RunSummary& run) {
  std::vector<std::string> devices;
  for (const CaseSummary& one : run.cases)
    if (one.measured() && family_of(one.record().benchmark) == "launch" &&
        std::find(devices.begin(), devices.end(), one.record().device) == devices.end())
      devices.push_back(one.record().device);
  std::vector<LaunchCosts> all;
  for (const std::string& device : devices) {
    LaunchCosts costs{.device = device, .waited_for_seconds = least_seconds(run, device, "launch/round_trip")};
    const auto of_host = least_seconds(run, device, "launch/submit");
    const auto of_device = least_seconds(run, device, "launch/back_to_back");
    if (of_host && of_device) costs.in_a_row_seconds = std::max(*of_host, *of_device);
    const Rates rates = rates_of(run, device);
    costs.in_a_row = break_even(costs.in_a_row_seconds, rates);
    costs.waited_for = break_even(costs.waited_for_seconds, rates);
    if (costs.in_a_row || costs.waited_for) all.push_back(std::move(costs));
  }
  return all;
}

std::string launch_costs_text(const LaunchCosts& costs) {
  std::string text = costs.device + ": a launch costs ";
  if (costs.in_a_row_seconds)
    text +=
        fmt::format("{} where others follow it{}", format_seconds(*costs.in_a_row_seconds), text_of(*costs.in_a_row));
  if (costs.in_a_row_seconds && costs.waited_for_seconds) text += ", and ";
  if (costs.waited_for_seconds)
    text += fmt::format("{} where its end is waited for{}", format_seconds(*costs.waited_for_seconds),
                        text_of(*costs.waited_for));
  const bool has_work = text.find("as long as") != std::string::npos;
  return text + (has_work ? "; smaller work costs less than its launch" : "");
}

}  // namespace warpmark
