// SPDX-License-Identifier: Apache-2.0
// Sections of the machine card about the processor and its memory.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/machine_parts.h"

namespace warpmark::card {
namespace {

using nlohmann::json;

/// Why the topology lacks something: its folder could not be listed, or has nothing of the kind.
std::string no_topology(const FileRoot& root, const std::string& folder, const std::string& what) {
  const std::string why = root.why_not(folder);
  return why.empty() ? folder + ": has no " + what : why;
}

constexpr const char* cpu_folder = "/sys/devices/system/cpu";
constexpr const char* node_folder = "/sys/devices/system/node";

/// Those that change which kernel runs, or how fast.
constexpr std::array relevant_flags{"sse4_2",   "avx",      "f16c",     "fma",         "avx2",        "avx_vnni",
                                    "avx512f",  "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16",
                                    "amx_tile", "amx_int8", "amx_bf16", "amx_fp16",    "asimd",       "asimdhp",
                                    "asimddp",  "bf16",     "i8mm",     "sve",         "sve2",        "sme"};

json instruction_sets(const CpuModel& model) {
  json sets = json::array();
  for (const char* flag : relevant_flags) {
    if (model.has(flag)) sets.push_back(flag);
  }
  return sets;
}

/// Alike caches together: 8 of L2 with 1 MiB each, shared by 2 threads each.
json caches(const Topology& topology) {
  json groups = json::array();
  for (const Cache& cache : topology.caches) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const json& g) {
      return g["level"] == cache.level && g["bytes"] == cache.bytes && g["threads"] == cache.cpus.size();
    });
    if (same != groups.end()) {
      (*same)["count"] = (*same)["count"].get<int>() + 1;
      continue;
    }
    groups.push_back({{"level", cache.level},
                      {"kind", cache.level == 1 ? "data" : "unified"},
                      {"bytes", cache.bytes},
                      {"threads", cache.cpus.size()},
                      {"count", 1}});
  }
  return groups;
}

std::vector<int> cpus_of(const Topology& topology) {
  std::vector<int> cpus;
  for (const Core& core : topology.cores) cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

/// Whether any core has several threads, and how many of everything.
void add_counts(const FileRoot& root, const Topology& topology, json& card) {
  const std::string why = no_topology(root, cpu_folder, "cores");
  const bool has_cores = !topology.cores.empty();
  std::set<int> sockets;
  bool smt = false;
  for (const Core& core : topology.cores) {
    if (core.package) sockets.insert(*core.package);
    smt = smt || core.cpus.size() > 1;
  }
  const auto if_cores = [&](auto value) { return has_cores ? std::optional(value) : std::nullopt; };
  card["sockets"] = known(root, "cpu.sockets", sockets.empty() ? std::nullopt : std::optional(sockets.size()),
                          has_cores ? "the firmware does not number sockets" : why);
  card["cores"] = known(root, "cpu.cores", if_cores(topology.cores.size()), why);
  card["threads"] = known(root, "cpu.threads", if_cores(cpus_of(topology).size()), why);
  card["smt"] = known(root, "cpu.smt", if_cores(smt), why);
  const std::size_t nodes = topology.numa_nodes.size();
  card["numa_nodes"] = known(root, "cpu.numa_nodes", nodes == 0 ? std::nullopt : std::optional(nodes),
                             no_topology(root, node_folder, "nodes"));
}

void add_clocks(const FileRoot& root, const Topology& topology, json& card) {
  std::vector<int> cpus = cpus_of(topology);
  if (cpus.empty()) cpus.push_back(0);
  const int first = cpus.front();
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(first) + "/cpufreq/";
  const auto add = [&](const char* name, const auto& value, const char* file) {
    card[name] = known_from(root, std::string("cpu.") + name, value, folder + file);
  };
  add("clock_hz", cpufreq_hz(root, {first}, "scaling_cur_freq"), "scaling_cur_freq");  // of one: each may wait 10 ms
  add("max_clock_hz", cpufreq_hz(root, cpus, "cpuinfo_max_freq"), "cpuinfo_max_freq");
  add("governor", root.read(folder + "scaling_governor"), "scaling_governor");
}

json numa(const FileRoot& root, const Topology& topology) {
  json nodes = json::array();
  for (const NumaNode& node : topology.numa_nodes) {
    const std::string what = "memory.numa." + std::to_string(nodes.size()) + ".bytes";
    const std::string path = "/sys/devices/system/node/node" + std::to_string(node.id) + "/meminfo";
    nodes.push_back({{"node", node.id},
                     {"bytes", known_from(root, what, node.memory_bytes, path)},
                     {"cpus", cpu_list_text(node.cpus)}});
  }
  return nodes;
}

json module(const FileRoot& root, const std::string& what, const MemoryModules& m) {
  const std::string why = "the firmware does not say (SMBIOS type 17)";
  return {
      {"count", m.count},
      {"bytes", m.bytes},
      {"type", known_text(root, what + ".type", m.type, why)},
      {"width_bits", known(root, what + ".width_bits", m.width_bits, why)},
      {"transfers_per_second", known(root, what + ".transfers_per_second", m.transfers_per_second, why)},
      {"transfers_per_second_set", known(root, what + ".transfers_per_second_set", m.transfers_per_second_set, why)}};
}

void add_modules(const FileRoot& root, json& card) {
  constexpr std::size_t limit_bytes = std::size_t{1} << 20;
  const std::string path = "/sys/firmware/dmi/tables/DMI";
  const auto table = root.read_bytes(path, limit_bytes);
  const MemorySlots memory = table ? memory_slots(*table) : MemorySlots{};
  card["slots"] = nullptr;
  card["modules"] = nullptr;
  if (memory.slots == 0) {
    root.deny("memory.slots", reason(root, path));
    root.deny("memory.modules", reason(root, path));
    return;
  }
  card["slots"] = memory.slots;
  card["modules"] = json::array();
  for (const MemoryModules& m : memory.modules) {
    card["modules"].push_back(module(root, "memory.modules." + std::to_string(card["modules"].size()), m));
  }
}

}  // namespace

json cpu(const FileRoot& root, const CpuModel& model, const Topology& topology) {
  const std::string info = "/proc/cpuinfo";
  const auto if_flags = [&](auto value) { return model.flags ? std::optional(value) : std::nullopt; };
  json card{{"model", known_from(root, "cpu.model", model.name, info)},
            {"vendor", known_from(root, "cpu.vendor", model.vendor, info)},
            {"family", known_from(root, "cpu.family", model.family, info)},
            {"model_number", known_from(root, "cpu.model_number", model.model, info)},
            {"stepping", known_from(root, "cpu.stepping", model.stepping, info)},
            {"topology_from", topology.source}};
  add_counts(root, topology, card);
  const auto allowed = affinity(root);
  card["allowed"] = known_from(root, "cpu.allowed", allowed ? std::optional(cpu_list_text(*allowed)) : std::nullopt,
                               "/proc/self/status");
  card["caches"] = known(root, "cpu.caches", topology.caches.empty() ? std::nullopt : std::optional(caches(topology)),
                         no_topology(root, cpu_folder, "caches"));
  add_clocks(root, topology, card);
  card["instruction_sets"] = known_from(root, "cpu.instruction_sets", if_flags(instruction_sets(model)), info);
  card["hypervisor_flag"] = known_from(root, "cpu.hypervisor_flag", if_flags(model.has("hypervisor")), info);
  return card;
}

json memory(const FileRoot& root, const Topology& topology) {
  const std::string path = "/proc/meminfo", thp = "/sys/kernel/mm/transparent_hugepage/enabled";
  const std::string text = root.read(path).value_or("");
  const auto add = [&](json& card, const char* name, const auto& value) {
    card[name] = known_from(root, std::string("memory.") + name, value, path);
  };
  json card;
  add(card, "total_bytes", kib_line_bytes(text, "MemTotal"));
  add(card, "available_bytes", kib_line_bytes(text, "MemAvailable"));
  add(card, "huge_page_bytes", kib_line_bytes(text, "Hugepagesize"));
  add(card, "huge_pages", integer(value_of(text, "HugePages_Total", ':').value_or("")));
  add(card, "huge_pages_free", integer(value_of(text, "HugePages_Free", ':').value_or("")));
  card["transparent_huge_pages"] =
      known_from(root, "memory.transparent_huge_pages", chosen(root.read(thp).value_or("")), thp);
  card["numa"] = topology.numa_nodes.empty()
                     ? known(root, "memory.numa", std::optional<json>(), no_topology(root, node_folder, "nodes"))
                     : numa(root, topology);
  add_modules(root, card);
  return card;
}

}  // namespace warpmark::card
