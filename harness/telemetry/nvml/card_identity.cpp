// SPDX-License-Identifier: Apache-2.0
// Parts of the card of NVML: which GPU it is, and the modes it is set to.
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "harness/telemetry/nvml/card_parts.h"
#include "harness/telemetry/nvml/devices.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

/// A number's name; unknown where we know none.
template <class T>
Answer<std::string> named(const Answer<T>& answer, const char* (*name_of)(T)) {
  if (!answer.value) return {.value = std::nullopt, .why = answer.why, .code = answer.code};
  if (const char* const name = name_of(*answer.value)) return {.value = name};
  return {.value = std::nullopt,
          .why = fmt::format("NVML: answered {}, which this program does not know", *answer.value),
          .code = unknown_error};
}

const char* virtualization_name(int mode) {
  switch (mode) {
    case virtual_none: return "none";
    case virtual_passthrough: return "passthrough";
    case virtual_vgpu: return "vgpu";
    case host_vgpu: return "host vgpu";
    case host_vsga: return "host vsga";
    default: return nullptr;
  }
}

const char* compute_mode_name(int mode) {
  switch (mode) {
    case compute_default: return "default";
    case compute_prohibited: return "prohibited";
    case compute_exclusive: return "exclusive process";
    default: return nullptr;
  }
}

/// P0 to P15; 32 is the library's word for unknown.
Answer<int> performance_state(const Asked& gpu) {
  Answer<int> state = ask<int>(gpu.functions.DeviceGetPerformanceState, gpu.device);
  if (!state.value || (*state.value >= 0 && *state.value <= 15)) return state;
  return {.value = std::nullopt, .why = "NVML: the performance state is unknown", .code = no_data};
}

}  // namespace

void put_identity(const Asked& gpu, Members& members) {
  const Functions& functions = gpu.functions;
  members.put("name", ask_text(functions.DeviceGetName, gpu.device, name_bytes));
  members.put("uuid", ask_text(functions.DeviceGetUUID, gpu.device, uuid_bytes));
  members.put("pci", address_of(functions, gpu.device));
  members.put("compute_capability", ask_pair<int>(functions.DeviceGetCudaComputeCapability, gpu.device),
              [](const Pair<int>& version) { return fmt::format("{}.{}", version.first, version.second); });
  members.put("cuda_cores", ask<unsigned>(functions.DeviceGetNumGpuCores, gpu.device));
  members.put("numa_node", ask<unsigned>(functions.DeviceGetNumaNodeId, gpu.device));
}

void put_modes(const Asked& gpu, Members& members) {
  const Functions& functions = gpu.functions;
  members.put("virtualization",
              named(ask<int>(functions.DeviceGetVirtualizationMode, gpu.device), virtualization_name));
  members.put("persistence", ask<int>(functions.DeviceGetPersistenceMode, gpu.device),
              [](int mode) { return mode != 0; });
  members.put("compute_mode", named(ask<int>(functions.DeviceGetComputeMode, gpu.device), compute_mode_name));
  members.put("performance_state", performance_state(gpu));
}

json pci_ids(const Asked& gpu) {
  const Answer<PciInfo> pci = ask<PciInfo>(gpu.functions.DeviceGetPciInfo_v3, gpu.device);
  Members members(gpu.what + ".pci_ids", gpu.denied);
  members.put("device", pci, [](const PciInfo& info) { return fmt::format("{:#010x}", info.device_id); });
  members.put("subsystem", pci, [](const PciInfo& info) { return fmt::format("{:#010x}", info.subsystem_id); });
  return members.section();
}

json board(const Asked& gpu) {
  const Functions& functions = gpu.functions;
  Members members(gpu.what + ".board", gpu.denied);
  members.put("id", ask<unsigned>(functions.DeviceGetBoardId, gpu.device));
  members.put("part_number", ask_text(functions.DeviceGetBoardPartNumber, gpu.device, part_number_bytes));
  members.put("vbios", ask_text(functions.DeviceGetVbiosVersion, gpu.device, vbios_bytes));
  return members.section();
}

}  // namespace warpmark::nvml
