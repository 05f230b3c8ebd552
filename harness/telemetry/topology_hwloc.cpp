// SPDX-License-Identifier: Apache-2.0
// The only file that includes hwloc.
#include <hwloc.h>

#include <cstdlib>
#include <memory>
#include <type_traits>

#include "harness/telemetry/topology.h"

namespace warpmark {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

enum class Cpuid : bool { no, yes };

/// cpuid needs to run on every CPU in turn, so hwloc moves this thread around: only where sysfs tells too little.
Handle load(Cpuid cpuid) {
  // Where /sys is missing or odd, hwloc says so on standard error; the machine card says it where it belongs.
  (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Handle topology(raw);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                    HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
  if (cpuid == Cpuid::no) hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  if (hwloc_topology_load(raw) != 0) return nullptr;
  return topology;
}

std::vector<int> cpus_of(hwloc_const_bitmap_t set) {
  std::vector<int> cpus;
  if (set == nullptr || hwloc_bitmap_weight(set) < 0) return cpus;  // an infinite set names no CPUs
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) cpus.push_back(cpu);
  return cpus;
}

Core core_of(hwloc_topology_t topology, hwloc_obj_t object) {
  Core core{.cpus = cpus_of(object->cpuset)};
  const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
  if (package != nullptr) core.package = static_cast<int>(package->os_index);
  return core;
}

Cache cache_of(hwloc_obj_t object) {
  const auto& cache = object->attr->cache;
  return {.level = static_cast<int>(cache.depth),
          .bytes = static_cast<std::int64_t>(cache.size),
          .line_bytes = static_cast<std::int64_t>(cache.linesize),
          .cpus = cpus_of(object->cpuset)};
}

NumaNode node_of(hwloc_obj_t object) {
  return {.id = static_cast<int>(object->os_index),
          .memory_bytes = static_cast<std::int64_t>(object->attr->numanode.local_memory),
          .cpus = cpus_of(object->cpuset)};
}

template <class Visit>
void each(hwloc_topology_t topology, hwloc_obj_type_t type, Visit visit) {
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;) {
    visit(object);
  }
}

}  // namespace

Topology topology_by_hwloc() {
  Handle topology = load(Cpuid::no);
  const auto lacks = [&](hwloc_obj_type_t type) { return hwloc_get_nbobjs_by_type(topology.get(), type) <= 0; };
  if (!topology || lacks(HWLOC_OBJ_CORE) || lacks(HWLOC_OBJ_L1CACHE)) topology = load(Cpuid::yes);
  Topology result{.source = "hwloc"};
  if (!topology) return result;
  each(topology.get(), HWLOC_OBJ_CORE, [&](hwloc_obj_t o) { result.cores.push_back(core_of(topology.get(), o)); });
  constexpr hwloc_obj_type_t levels[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};
  for (const hwloc_obj_type_t level : levels) {
    each(topology.get(), level, [&](hwloc_obj_t o) { result.caches.push_back(cache_of(o)); });
  }
  each(topology.get(), HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t o) { result.numa_nodes.push_back(node_of(o)); });
  return result;
}

}  // namespace warpmark
