// SPDX-License-Identifier: Apache-2.0
// Parts of the card of NVML: into what a GPU is divided, and who else uses it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "harness/telemetry/nvml/card_parts.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

json instance(const Asked& parent, Device handle, const std::string& what) {
  const Functions& functions = parent.functions;
  Members members(what, parent.denied);
  members.put("uuid", ask_text(functions.DeviceGetUUID, handle, uuid_bytes));
  members.put("gpu_instance", ask<unsigned>(functions.DeviceGetGpuInstanceId, handle));
  members.put("compute_instance", ask<unsigned>(functions.DeviceGetComputeInstanceId, handle));
  const auto attributes = ask<DeviceAttributes>(functions.DeviceGetAttributes_v2, handle);
  members.put("multiprocessors", attributes, [](const DeviceAttributes& a) { return a.multiprocessors; });
  members.put("memory_bytes", attributes, [](const DeviceAttributes& a) { return a.memory_mib << 20U; });
  return members.whole();
}

/// The numbers of instances have gaps. One that is there and cannot be had is null, with its reason.
json instances(const Asked& gpu, unsigned most) {
  constexpr unsigned most_instances = 64;
  json list = json::array();
  for (unsigned i = 0; i < std::min(most, most_instances); ++i) {
    const auto handle = ask<Device>(gpu.functions.DeviceGetMigDeviceHandleByIndex, gpu.device, i);
    if (handle.code == not_found || handle.code == invalid_argument) continue;
    const std::string what = fmt::format("{}.mig.instances.{}", gpu.what, list.size());
    if (!handle.value) gpu.denied.push_back({{"what", what}, {"why", handle.why}});
    list.push_back(handle.value ? instance(gpu, *handle.value, what) : json(nullptr));
  }
  return list;
}

struct Listed {
  unsigned count = 0;
  bool readable = true;  // whether the entries are laid out as we know them
  std::vector<ProcessInfo> entries{};
};

/// Drivers 535.43 to 535.86 write longer entries under the same name: there is room for those, and what they touch
/// tells them from ours.
class ProcessRoom {
 public:
  explicit ProcessRoom(unsigned entries) : bytes_(std::size_t{entries} * longest_entry, untouched) {}

  [[nodiscard]] ProcessInfo* start() { return reinterpret_cast<ProcessInfo*>(bytes_.data()); }
  [[nodiscard]] Listed listed(unsigned count) const {
    const std::size_t end = std::size_t{count} * sizeof(ProcessInfo);
    const auto is_touched = [](unsigned char byte) { return byte != untouched; };
    if (end > bytes_.size() || std::any_of(bytes_.begin() + static_cast<std::ptrdiff_t>(end), bytes_.end(), is_touched))
      return {.count = count, .readable = false};
    Listed result{.count = count, .readable = true, .entries = std::vector<ProcessInfo>(count)};
    if (count > 0) std::memcpy(result.entries.data(), bytes_.data(), end);
    return result;
  }

 private:
  static constexpr std::size_t longest_entry = 40;
  static constexpr unsigned char untouched = 0xa5;
  std::vector<unsigned char> bytes_;
};

Answer<Listed> ask_processes(const Asked& gpu) {
  constexpr unsigned most_entries = 4096, spare = 8;  // others start while we ask
  const auto& function = gpu.functions.DeviceGetComputeRunningProcesses_v3;
  unsigned count = 0;
  Return code = function.call == nullptr ? Return{function_not_found} : function.call(gpu.device, &count, nullptr);
  for (int attempt = 0; code == insufficient_size && attempt < 3; ++attempt) {
    const unsigned room = std::min(count, most_entries) + spare;
    ProcessRoom entries(room);
    count = room;
    code = function.call(gpu.device, &count, entries.start());
    if (code == success) return {.value = entries.listed(count)};
  }
  if (code == success) return {.value = Listed{.count = count, .readable = count == 0}};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

constexpr unsigned long long no_number = std::numeric_limits<unsigned long long>::max();
constexpr const char* hidden_size = "NVML: the driver does not tell how much memory a process has here";

json listed_processes(const Asked& gpu, const std::vector<ProcessInfo>& entries) {
  json list = json::array();
  for (const ProcessInfo& entry : entries) {
    Members members(fmt::format("{}.processes.list.{}", gpu.what, list.size()), gpu.denied);
    members.known("pid", entry.pid);
    if (entry.used_bytes == no_number) {
      members.unknown("used_bytes", hidden_size);
    } else {
      members.known("used_bytes", entry.used_bytes);
    }
    list.push_back(members.whole());
  }
  return list;
}

void put_entries(const Asked& gpu, const Listed& found, Members& members) {
  if (!found.readable) {
    constexpr const char* why = "NVML: this driver lists processes in a form that this program does not know";
    members.unknown("used_bytes", why);
    members.unknown("list", why);
    return;
  }
  unsigned long long used_bytes = 0;
  for (const ProcessInfo& entry : found.entries)
    used_bytes = entry.used_bytes == no_number || used_bytes == no_number ? no_number : used_bytes + entry.used_bytes;
  if (used_bytes == no_number) {
    members.unknown("used_bytes", hidden_size);
  } else {
    members.known("used_bytes", used_bytes);
  }
  members.known("list", listed_processes(gpu, found.entries));
}

}  // namespace

json mig(const Asked& gpu) {
  Members members(gpu.what + ".mig", gpu.denied);
  const auto is_on = [](unsigned mode) { return mode != 0; };
  const auto modes = ask_pair<unsigned>(gpu.functions.DeviceGetMigMode, gpu.device);
  members.put("on", first_of(modes), is_on);
  members.put("after_restart", second_of(modes), is_on);
  if (!modes.value) {
    members.unknown("instances", modes.why, modes.code);
  } else if (modes.value->first == 0) {
    members.known("instances", json::array());
  } else {
    members.put("instances", ask<unsigned>(gpu.functions.DeviceGetMaxMigDeviceCount, gpu.device),
                [&](unsigned most) { return instances(gpu, most); });
  }
  return members.section();
}

json processes(const Asked& gpu) {
  Members members(gpu.what + ".processes", gpu.denied);
  const Answer<Listed> found = ask_processes(gpu);
  members.put("count", found, [](const Listed& listed) { return listed.count; });
  if (found.value) {
    put_entries(gpu, *found.value, members);
  } else {
    members.unknown("used_bytes", found.why, found.code);
    members.unknown("list", found.why, found.code);
  }
  return members.section();
}

}  // namespace warpmark::nvml
