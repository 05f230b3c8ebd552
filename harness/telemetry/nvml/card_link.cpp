// SPDX-License-Identifier: Apache-2.0
// Parts of the card of NVML: how a GPU is connected, with the host and with other GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/telemetry/nvml/card_parts.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

constexpr unsigned most_links = 36;

/// By its field; older drivers have none, and know links by number until there are no more.
Answer<unsigned> count_links(const Asked& gpu) {
  const auto field = ask_from(FieldValue{.field = field_nvlink_count,
                                         .scope = 0,
                                         .timestamp_us = 0,
                                         .latency_us = 0,
                                         .type = 0,
                                         .code = 0,
                                         .value = {}},
                              gpu.functions.DeviceGetFieldValues, gpu.device, 1);
  if (field.value && field.value->code == success)
    if (const auto count = number_of(*field.value); count && *count >= 0 && *count <= most_links)
      return {.value = static_cast<unsigned>(*count)};
  unsigned links = 0;
  for (; links < most_links; ++links) {
    const Answer<int> state = ask<int>(gpu.functions.DeviceGetNvLinkState, gpu.device, links);
    if (!state.value && links == 0) return {.value = std::nullopt, .why = state.why, .code = state.code};
    if (!state.value) break;
  }
  return {.value = links};
}

/// Numbers of those that are up.
Answer<std::vector<unsigned>> active_links(const Asked& gpu, unsigned links) {
  std::vector<unsigned> active;
  for (unsigned each = 0; each < links; ++each) {
    const Answer<int> state = ask<int>(gpu.functions.DeviceGetNvLinkState, gpu.device, each);
    if (!state.value) return {.value = std::nullopt, .why = state.why, .code = state.code};
    if (*state.value != 0) active.push_back(each);
  }
  return {.value = active};
}

const char* path_name(int ancestor) {
  switch (ancestor) {
    case same_board: return "same board";
    case one_switch: return "one switch";
    case several_switches: return "several switches";
    case host_bridge: return "host bridge";
    case numa_node: return "NUMA node";
    case across_nodes: return "across nodes";
    default: return nullptr;
  }
}

json peer(const Asked& gpu, const std::string& what, const Peer& other) {
  Members members(what, gpu.denied);
  if (other.pci.is_string()) {
    members.known("pci", other.pci);
  } else {
    members.unknown("pci", "NVML does not tell its PCI address");
  }
  const Answer<int> path = ask<int>(gpu.functions.DeviceGetTopologyCommonAncestor, gpu.device, other.device);
  if (path.value && path_name(*path.value) == nullptr) {
    members.unknown("path", fmt::format("NVML: answered {}, which this program does not know", *path.value));
  } else {
    members.put("path", path, path_name);
  }
  return members.whole();
}

}  // namespace

json link(const Asked& gpu) {
  const Functions& functions = gpu.functions;
  Members members(gpu.what + ".link", gpu.denied);
  const auto put = [&](const char* name, const Function<Device, unsigned*>& function) {
    members.put(name, ask<unsigned>(function, gpu.device));
  };
  put("generation", functions.DeviceGetCurrPcieLinkGeneration);
  put("width", functions.DeviceGetCurrPcieLinkWidth);
  put("max_generation", functions.DeviceGetMaxPcieLinkGeneration);
  put("max_width", functions.DeviceGetMaxPcieLinkWidth);
  put("gpu_max_generation", functions.DeviceGetGpuMaxPcieLinkGeneration);
  return members.section();
}

json nvlink(const Asked& gpu) {
  Members members(gpu.what + ".nvlink", gpu.denied);
  const Answer<unsigned> links = count_links(gpu);
  members.put("links", links);
  if (!links.value) {
    members.unknown("active", links.why, links.code);
    members.unknown("version", links.why, links.code);
    return members.section();
  }
  const Answer<std::vector<unsigned>> active = active_links(gpu, *links.value);
  members.put("active", active, [](const std::vector<unsigned>& numbers) { return numbers.size(); });
  if (!active.value) {
    members.unknown("version", active.why, active.code);
  } else if (active.value->empty()) {
    members.unknown("version", "no NVLink is up");
  } else {
    members.put("version", ask<unsigned>(gpu.functions.DeviceGetNvLinkVersion, gpu.device, active.value->front()));
  }
  return members.section();
}

json peers(const Asked& gpu, const std::vector<Peer>& others) {
  json list = json::array();
  for (const Peer& other : others) list.push_back(peer(gpu, fmt::format("{}.peers.{}", gpu.what, list.size()), other));
  return list;
}

}  // namespace warpmark::nvml
