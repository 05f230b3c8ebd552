// SPDX-License-Identifier: Apache-2.0
#include "harness/core/benchmark.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace warpmark {
namespace {

std::vector<Benchmark>& registry() {
  static std::vector<Benchmark> all;
  return all;
}

/// Each case at each value of the axis.
std::vector<Case> along(const Axis& axis, const std::vector<Case>& cases) {
  std::vector<Case> wider;
  for (const Case& narrow : cases) {
    for (const AxisValue& value : axis.values) {
      wider.push_back(narrow);
      wider.back().at.emplace_back(axis.name, value);
    }
  }
  return wider;
}

}  // namespace

std::string_view family_of(std::string_view benchmark) { return benchmark.substr(0, benchmark.find('/')); }

const std::vector<Benchmark>& benchmarks() { return registry(); }

Registered::Registered(Benchmark benchmark) {
  std::vector<Benchmark>& all = registry();
  const auto place = std::lower_bound(all.begin(), all.end(), benchmark,
                                      [](const Benchmark& a, const Benchmark& b) { return a.name < b.name; });
  if (place != all.end() && place->name == benchmark.name)
    throw std::logic_error("two benchmarks are called " + benchmark.name);
  all.insert(place, std::move(benchmark));
}

Protocol protocol_of(const Benchmark& benchmark, const Case& at, const Protocol& suite) {
  if (benchmark.lasts == nullptr) return suite;
  constexpr double windows = 75;                               // that a short course is seen in
  constexpr double least_window = 0.1, longest_window = 0.25;  // seconds
  constexpr double to_know_a_launch = 0.01;  // no warm-up: how the device warms up is what is asked for
  const double seconds = benchmark.lasts(at);
  Protocol protocol = suite;
  protocol.min_samples = 1;
  protocol.max_samples = std::numeric_limits<std::int64_t>::max();
  protocol.min_seconds = protocol.max_seconds = seconds;
  protocol.min_warmup_seconds = 0;
  protocol.max_warmup_seconds = to_know_a_launch;
  protocol.batch_seconds = std::clamp(seconds / windows, least_window, longest_window);
  return protocol;
}

std::vector<Case> cases_of(const Benchmark& benchmark, std::string_view backend) {
  std::vector<Case> cases;
  for (const KernelId& kernel : benchmark.kernels.ids()) {
    if (kernel.backend != backend) continue;
    for (const Mode mode : benchmark.modes) {
      Case& made = cases.emplace_back();
      made.kernel = kernel;
      made.mode = mode;
    }
  }
  for (const Axis& axis : benchmark.axes) cases = along(axis, cases);
  return cases;
}

std::string id_of(const Benchmark& benchmark, const Case& at, std::string_view device, Regime regime) {
  std::string id = benchmark.name;
  id.append("/").append(device).append("/").append(at.kernel.variant).append("/").append(name_of(at.kernel.dtype));
  for (const auto& [axis, value] : at.at) id.append("/").append(axis).append("=").append(text_of(value));
  if (at.mode != benchmark.modes.front()) id.append("/mode=").append(name_of(at.mode));
  if (regime != Regime::burst) id.append("/regime=").append(name_of(regime));
  return id;
}

}  // namespace warpmark
