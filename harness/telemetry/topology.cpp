// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/topology.h"

#include <algorithm>

namespace warpmark {
namespace {

bool share_any(const std::vector<int>& sorted_a, const std::vector<int>& sorted_b) {
  return std::any_of(sorted_a.begin(), sorted_a.end(),
                     [&](int cpu) { return std::binary_search(sorted_b.begin(), sorted_b.end(), cpu); });
}

}  // namespace

Topology topology_of(const FileRoot& root) { return root.live() ? topology_by_hwloc() : topology_from_sysfs(root); }

std::vector<int> one_cpu_per_core(const Topology& topology, const std::vector<int>& allowed) {
  std::vector<int> cpus;
  for (const Core& core : topology.cores) {
    const auto first = std::find_if(core.cpus.begin(), core.cpus.end(),
                                    [&](int cpu) { return std::binary_search(allowed.begin(), allowed.end(), cpu); });
    if (first != core.cpus.end()) cpus.push_back(*first);
  }
  return cpus;
}

std::int64_t cache_bytes(const Topology& topology, int level, const std::vector<int>& cpus) {
  std::int64_t bytes = 0;
  for (const Cache& cache : topology.caches) {
    if (cache.level == level && share_any(cpus, cache.cpus)) bytes += cache.bytes;
  }
  return bytes;
}

std::int64_t largest_cache_bytes(const Topology& topology, int level, const std::vector<int>& cpus) {
  std::int64_t bytes = 0;
  for (const Cache& cache : topology.caches) {
    if (cache.level == level && share_any(cpus, cache.cpus)) bytes = std::max(bytes, cache.bytes);
  }
  return bytes;
}

int last_cache_level(const Topology& topology) {
  int level = 0;
  for (const Cache& cache : topology.caches) level = std::max(level, cache.level);
  return level;
}

}  // namespace warpmark
