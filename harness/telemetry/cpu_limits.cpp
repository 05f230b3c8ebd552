// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cpu_limits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <thread>

#include "harness/telemetry/cgroup.h"
#include "harness/telemetry/cpu_model.h"
#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/topology.h"

namespace warpmark {
namespace {

std::vector<int> both(const std::vector<int>& sorted_a, const std::vector<int>& sorted_b) {
  std::vector<int> cpus;
  std::set_intersection(sorted_a.begin(), sorted_a.end(), sorted_b.begin(), sorted_b.end(), std::back_inserter(cpus));
  return cpus;
}

std::vector<int> every_cpu(const FileRoot& root, const Topology& topology) {
  std::vector<int> cpus;
  for (const Core& core : topology.cores) cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
  if (cpus.empty() && root.live()) {
    const unsigned count = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned cpu = 0; cpu < count; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

std::vector<int> usable_cpus(const FileRoot& root, const Topology& topology, const CgroupLimits& limits) {
  std::vector<int> allowed = affinity(root).value_or(every_cpu(root, topology));
  if (limits.cpus) {
    const std::vector<int> common = both(allowed, *limits.cpus);
    if (!common.empty()) allowed = common;  // a stale cpuset file must not leave us without a CPU
  }
  std::vector<int> cpus = one_cpu_per_core(topology, allowed);
  if (cpus.empty()) cpus = allowed;  // cores unknown
  if (limits.quota_cores) {
    const auto most = static_cast<std::size_t>(std::max(1.0, std::ceil(*limits.quota_cores)));
    cpus.resize(std::min(cpus.size(), most));
  }
  return cpus;
}

std::int64_t memory_within(const FileRoot& root, const CgroupLimits& limits) {
  const std::string meminfo = root.read("/proc/meminfo").value_or("");
  const auto machine = kib_line_bytes(meminfo, "MemAvailable");
  const auto group = limits.memory_free_bytes;
  if (machine && group) return std::min(*machine, *group);
  return machine.value_or(group.value_or(0));
}

}  // namespace

/// What the machine has, or what the control group allows of it.
std::int64_t memory_total(const FileRoot& root, const CgroupLimits& limits) {
  const auto machine = kib_line_bytes(root.read("/proc/meminfo").value_or(""), "MemTotal");
  const auto group = limits.memory_limit_bytes;
  return machine && group ? std::min(*machine, *group) : machine.value_or(group.value_or(0));
}

std::int64_t memory_available(const FileRoot& root) { return memory_within(root, cgroup_memory_limits(root)); }

CpuLimits cpu_limits(const FileRoot& root) {
  const Topology topology = topology_of(root);
  const CgroupLimits group = cgroup_limits(root);
  CpuLimits limits;
  limits.cpus = usable_cpus(root, topology, group);
  limits.memory_total = memory_total(root, group);
  limits.memory_available = memory_within(root, group);
  limits.last_level_cache_bytes = cache_bytes(topology, last_cache_level(topology), limits.cpus);
  limits.l1d_bytes = largest_cache_bytes(topology, 1, limits.cpus);
  limits.l2_bytes = largest_cache_bytes(topology, 2, limits.cpus);
  limits.max_clock_hz = cpufreq_hz(root, limits.cpus, "cpuinfo_max_freq").value_or(0);
  limits.model = cpu_model(root).name.value_or("");
  return limits;
}

}  // namespace warpmark
