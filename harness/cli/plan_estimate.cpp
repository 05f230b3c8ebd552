// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/plan_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace warpmark {
namespace {

// Of an ordinary machine. The answer is "half a minute or five minutes", not a promise.
constexpr double bytes_per_second = 1e9;   // allocating, filling and checking operands
constexpr double flops_per_second = 5e10;  // checking a product
constexpr double process_seconds = 0.15;   // starting a worker and opening its device

double around_samples(const PlannedCase& planned, const DeviceInfo& device) {
  const Work work = expected_work(planned, device);
  return work.bytes() / bytes_per_second + work.flops / flops_per_second;
}

}  // namespace

PlanSeconds estimate(const std::vector<PlannedCase>& cases, int repeats, const Protocol& protocol,
                     const DeviceInfo& device) {
  std::set<std::string_view> families;  // a worker for each
  PlanSeconds once;
  for (const PlannedCase& planned : cases) {
    families.insert(family_of(planned.benchmark->name));
    const double around = around_samples(planned, device);
    once.least += around + protocol.min_warmup_seconds + protocol.min_seconds;
    once.most += around + protocol.max_warmup_seconds + protocol.max_seconds;
  }
  const double starting = process_seconds * static_cast<double>(families.size());
  return {.least = repeats * (once.least + starting), .most = repeats * (once.most + starting)};
}

std::string about(const PlanSeconds& seconds) {
  const bool in_minutes = seconds.most > 150;
  const double unit = in_minutes ? 60 : 1;
  const double least = std::max(1.0, std::round(seconds.least / unit));
  const double most = std::max(1.0, std::ceil(seconds.most / unit));
  const char* const name = in_minutes ? "min" : "s";
  return least < most ? fmt::format("about {:.0f} to {:.0f} {}", least, most, name)
                      : fmt::format("about {:.0f} {}", most, name);
}

}  // namespace warpmark
