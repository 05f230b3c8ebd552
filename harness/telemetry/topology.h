// SPDX-License-Identifier: Apache-2.0
// Sockets, cores, threads, caches and NUMA nodes: by hwloc for the machine that we run on, from sysfs for a copied
// root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

struct Core {
  std::optional<int> package{};  // socket
  std::vector<int> cpus{};       // the kernel's numbers of its hardware threads, sorted
};

struct Cache {
  int level = 0;
  std::int64_t bytes = 0;
  std::int64_t line_bytes = 0;  // 0: unknown
  std::vector<int> cpus{};      // that share it, sorted
};

struct NumaNode {
  int id = 0;
  std::optional<std::int64_t> memory_bytes{};
  std::vector<int> cpus{};
};

/// Empty vectors mean unknown. Instruction caches are left out.
struct Topology {
  std::vector<Core> cores{};
  std::vector<Cache> caches{};
  std::vector<NumaNode> numa_nodes{};
  std::string source{};  // "hwloc" or "sysfs"
};

/// hwloc cannot read a copied root: with HWLOC_FSROOT it fills what the copy lacks from the running machine, follows
/// symlinks out of it and reads files of any size.
[[nodiscard]] Topology topology_of(const FileRoot& root);
/// Both ways by themselves, so that a test can hold one against the other.
[[nodiscard]] Topology topology_by_hwloc();
[[nodiscard]] Topology topology_from_sysfs(const FileRoot& root);

/// One hardware thread (the first allowed) of every core that has an allowed one, in the order of the cores.
[[nodiscard]] std::vector<int> one_cpu_per_core(const Topology& topology, const std::vector<int>& allowed);

/// Of the caches of a level that any of these CPUs uses: all of them together, and the largest of one.
[[nodiscard]] std::int64_t cache_bytes(const Topology& topology, int level, const std::vector<int>& cpus);
[[nodiscard]] std::int64_t largest_cache_bytes(const Topology& topology, int level, const std::vector<int>& cpus);
/// 0 when no cache is known.
[[nodiscard]] int last_cache_level(const Topology& topology);

}  // namespace warpmark
