// SPDX-License-Identifier: Apache-2.0
#include "harness/run/plan_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace warpmark {
namespace {

// Of what goes on around the samples. The answer is "half a minute or five minutes", not a promise.
struct Speeds {
  double bytes_per_second = 1e9;   // allocating, filling and checking operands, on an ordinary CPU
  double flops_per_second = 5e10;  // checking a product
};

/// A tenth of the device's ceilings, where they are derived before anything runs.
Speeds speeds_of(const DeviceInfo& device) {
  constexpr double share = 0.1;
  Speeds speeds;
  const auto ceiling = [&](const char* name, double& speed) {
    const auto found = device.ceilings.find(name);
    if (found != device.ceilings.end() && found->second.kind == CeilingKind::derived && found->second.value)
      speed = share * *found->second.value;
  };
  ceiling("memory_bandwidth", speeds.bytes_per_second);
  ceiling("f32_fma", speeds.flops_per_second);
  return speeds;
}

}  // namespace

double start_seconds(const DeviceInfo& device) {
  constexpr double of_process = 0.15;
  constexpr double of_driver = 1;
  return device.backend == "cpu" ? of_process : of_process + of_driver;
}

PlanSeconds estimate(const PlannedCase& planned, const Protocol& suite, const DeviceInfo& device) {
  const Protocol protocol = protocol_of(*planned.benchmark, planned.at, suite);
  const Work work = expected_work(planned, device);
  const Speeds speeds = speeds_of(device);
  const double around = work.bytes() / speeds.bytes_per_second + work.flops / speeds.flops_per_second;
  return {.least = around + protocol.min_warmup_seconds + protocol.min_seconds,
          .most = around + protocol.max_warmup_seconds + protocol.max_seconds};
}

PlanSeconds estimate(const std::vector<PlannedCase>& cases, int repeats, const Protocol& protocol,
                     const DeviceInfo& device) {
  std::map<std::string_view, int> workers;  // of each family, the most repeats of any of its cases
  PlanSeconds all;
  for (const PlannedCase& planned : cases) {
    const int times = planned.repeats_of(repeats);
    int& of_family = workers[family_of(planned.benchmark->name)];
    of_family = std::max(of_family, times);
    const PlanSeconds one = estimate(planned, protocol, device);
    all.least += times * one.least;
    all.most += times * one.most;
  }
  for (const auto& [family, count] : workers) {
    all.least += count * start_seconds(device);
    all.most += count * start_seconds(device);
  }
  return all;
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
