// SPDX-License-Identifier: Apache-2.0
#include "bench/transfer/host_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/units.h"
#include "harness/device/host_memory.h"
#include "harness/telemetry/cpu_limits.h"
#include "kernels/transfer/transfer.h"

namespace warpmark {
namespace {

constexpr std::string_view nodes_folder = "/sys/devices/system/node";

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string file_of(int node, std::string_view name) { return fmt::format("{}/node{}/{}", nodes_folder, node, name); }

/// Memory of a GPU may be a node too: it has no CPUs, and is no memory of the host.
bool has_cpus(const FileRoot& root, int node) {
  const std::string cpus = root.read(file_of(node, "cpulist")).value_or("");
  return cpus.find_first_of("0123456789") != std::string::npos;
}

bool has_memory(const FileRoot& root, int node) {
  std::istringstream words(root.read(file_of(node, "meminfo")).value_or(""));
  for (std::string word; words >> word;)
    if (word == "MemTotal:") return words >> word && word != "0";
  return false;
}

std::vector<int> nodes_with_memory(const FileRoot& root) {
  std::vector<int> nodes;
  for (const std::string& name : root.list(std::string(nodes_folder)))
    if (name.rfind("node", 0) == 0)
      if (const auto node = number_in(std::string_view(name).substr(4)); node && has_memory(root, *node))
        nodes.push_back(*node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Negative where the machine does not tell.
int nearest(const DeviceInfo& device, const FileRoot& root) {
  if (device.backend != "cpu") {
    std::string pci = device.facts.value("pci", "");
    std::transform(pci.begin(), pci.end(), pci.begin(), [](unsigned char c) { return std::tolower(c); });
    return number_in(root.read("/sys/bus/pci/devices/" + pci + "/numa_node").value_or("")).value_or(ops::any_node);
  }
  const auto cpus = device.facts.find("cpus");
  if (cpus == device.facts.end() || cpus->empty()) return ops::any_node;
  for (const int node : nodes_with_memory(root))
    if (root.has_folder(file_of(node, fmt::format("cpu{}", cpus->front().get<int>())))) return node;
  return ops::any_node;
}

/// The distances of a node to all nodes, in the order of their numbers.
std::vector<int> distances_from(const FileRoot& root, int node) {
  std::vector<int> distances;
  std::istringstream words(root.read(file_of(node, "distance")).value_or(""));
  for (int distance = 0; words >> distance;) distances.push_back(distance);
  return distances;
}

int farthest(const DeviceInfo& device, const FileRoot& root) {
  const int near = nearest(device, root);
  if (near < 0) throw Unsupported("the machine does not tell which NUMA node is near this device: nothing is far");
  const std::vector<int> distances = distances_from(root, near);
  const auto distance_to = [&](int node) {
    return static_cast<std::size_t>(node) < distances.size() ? distances[static_cast<std::size_t>(node)] : 0;
  };
  int found = near;
  for (const int node : nodes_with_memory(root))
    if (has_cpus(root, node) && distance_to(node) > distance_to(found)) found = node;
  if (found == near) throw Unsupported("all memory of this machine is on one NUMA node: nothing is far");
  return found;
}

}  // namespace

Axis node_axis() {
  return {.name = "node", .values = {std::string("near"), std::string("far")}, .takes_integers = true};
}

void need_host_memory(std::size_t bytes, const FileRoot& root) {
  const std::int64_t free = memory_available(root);
  const std::int64_t spare = free - free / 10;  // the rest of the machine needs some meanwhile
  if (free > 0 && static_cast<std::int64_t>(bytes) > spare)
    throw Skipped(fmt::format("needs {} more memory of the host, {} is free", format_bytes(static_cast<double>(bytes)),
                              format_bytes(static_cast<double>(spare))));
}

int host_node(const Case& at, const DeviceInfo& device, const FileRoot& root) {
  const AxisValue& value = at["node"];
  if (const auto* const number = std::get_if<std::int64_t>(&value))
    return static_cast<int>(std::min<std::int64_t>(*number, 1 << 20)) - 1;
  if (std::get<std::string>(value) == "far") return farthest(device, root);
  // Containers often forbid to choose: memory then comes from where this thread runs, and the record says from where.
  if (nodes_with_memory(root).size() < 2 || !may_choose_node()) return ops::any_node;
  return nearest(device, root);
}

}  // namespace warpmark
