// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/topology.h"

namespace warpmark {
namespace {

constexpr const char* cpu_folder = "/sys/devices/system/cpu";
constexpr const char* node_folder = "/sys/devices/system/node";

/// Numbers N of the entries "<prefix>N" of a folder, sorted.
std::vector<int> numbered(const FileRoot& root, const std::string& folder, std::string_view prefix) {
  std::vector<int> numbers;
  for (const std::string& name : root.list(folder)) {
    if (!name.starts_with(prefix)) continue;
    const auto value = integer(std::string_view(name).substr(prefix.size()));
    if (value && *value >= 0 && *value < 65536) numbers.push_back(static_cast<int>(*value));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<int> online_cpus(const FileRoot& root) {
  const auto text = root.read(std::string(cpu_folder) + "/online");
  auto cpus = text ? cpu_list(*text) : std::nullopt;
  return cpus ? *cpus : numbered(root, cpu_folder, "cpu");
}

/// "32K", "1024K", "36M" in bytes.
std::optional<std::int64_t> size_of(std::string_view text) {
  std::int64_t scale = 1;
  if (text.ends_with('K')) scale = 1024;
  if (text.ends_with('M')) scale = 1024 * 1024;
  if (scale > 1) text.remove_suffix(1);
  const auto value = integer(text);
  if (!value || *value <= 0 || *value > (std::int64_t{1} << 40) / scale) return std::nullopt;
  return *value * scale;
}

std::optional<Core> core_of(const FileRoot& root, int cpu) {
  const std::string folder = std::string(cpu_folder) + "/cpu" + std::to_string(cpu) + "/topology";
  auto text = root.read(folder + "/core_cpus_list");
  if (!text) text = root.read(folder + "/thread_siblings_list");  // its name before Linux 5.3
  auto cpus = text ? cpu_list(*text) : std::nullopt;
  if (!cpus || !std::binary_search(cpus->begin(), cpus->end(), cpu)) return std::nullopt;
  Core core{.cpus = std::move(*cpus)};
  const auto package = integer_in(root.read(folder + "/physical_package_id"));
  if (package && *package >= 0) core.package = static_cast<int>(*package);  // -1 where the firmware does not say
  return core;
}

std::optional<Cache> cache_of(const FileRoot& root, const std::string& folder) {
  const auto type = root.read(folder + "/type");
  const auto level = integer_in(root.read(folder + "/level"));
  const auto size = root.read(folder + "/size");
  const auto bytes = size ? size_of(*size) : std::nullopt;
  const auto shared = root.read(folder + "/shared_cpu_list");
  auto cpus = shared ? cpu_list(*shared) : std::nullopt;
  if (!type || *type == "Instruction" || !level || *level < 1 || *level > 4 || !bytes || !cpus || cpus->empty()) {
    return std::nullopt;
  }
  return Cache{.level = static_cast<int>(*level),
               .bytes = *bytes,
               .line_bytes = integer_in(root.read(folder + "/coherency_line_size")).value_or(0),
               .cpus = std::move(*cpus)};
}

void add_caches(const FileRoot& root, int cpu, std::set<std::pair<int, std::vector<int>>>& seen,
                std::vector<Cache>& caches) {
  const std::string folder = std::string(cpu_folder) + "/cpu" + std::to_string(cpu) + "/cache";
  for (const int index : numbered(root, folder, "index")) {
    auto cache = cache_of(root, folder + "/index" + std::to_string(index));
    if (cache && seen.emplace(cache->level, cache->cpus).second) caches.push_back(std::move(*cache));
  }
}

NumaNode node_of(const FileRoot& root, int id) {
  const std::string folder = std::string(node_folder) + "/node" + std::to_string(id);
  NumaNode node{.id = id};
  if (const auto text = root.read(folder + "/cpulist")) node.cpus = cpu_list(*text).value_or(std::vector<int>());
  const auto meminfo = root.read(folder + "/meminfo");  // "Node 0 MemTotal:  32768 kB"
  if (meminfo) node.memory_bytes = kib_line_bytes(*meminfo, "Node " + std::to_string(id) + " MemTotal");
  return node;
}

}  // namespace

Topology topology_from_sysfs(const FileRoot& root) {
  Topology topology{.source = "sysfs"};
  std::set<int> placed;
  std::set<std::pair<int, std::vector<int>>> seen;
  for (const int cpu : online_cpus(root)) {
    add_caches(root, cpu, seen, topology.caches);
    if (placed.contains(cpu)) continue;
    auto core = core_of(root, cpu);
    if (!core) continue;
    placed.insert(core->cpus.begin(), core->cpus.end());
    topology.cores.push_back(std::move(*core));
  }
  std::stable_sort(topology.cores.begin(), topology.cores.end(),
                   [](const Core& a, const Core& b) { return a.package < b.package; });
  std::stable_sort(topology.caches.begin(), topology.caches.end(),
                   [](const Cache& a, const Cache& b) { return a.level < b.level; });
  for (const int id : numbered(root, node_folder, "node")) topology.numa_nodes.push_back(node_of(root, id));
  return topology;
}

}  // namespace warpmark
