// SPDX-License-Identifier: Apache-2.0
#include "harness/core/benchmark.h"

#include <algorithm>
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

std::string id_of(const Benchmark& benchmark, const Case& at, std::string_view device) {
  std::string id = benchmark.name;
  id.append("/").append(device).append("/").append(at.kernel.variant).append("/").append(name_of(at.kernel.dtype));
  for (const auto& [axis, value] : at.at) id.append("/").append(axis).append("=").append(text_of(value));
  if (at.mode != benchmark.modes.front()) id.append("/mode=").append(name_of(at.mode));
  return id;
}

}  // namespace warpmark
