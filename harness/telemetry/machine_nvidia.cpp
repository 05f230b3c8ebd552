// SPDX-License-Identifier: Apache-2.0
// Sections of the machine card about NVIDIA, from the system's files alone: its GPUs, its driver, its libraries.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/telemetry/cuda_software.h"
#include "harness/telemetry/gpu_environment.h"
#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/machine_parts.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark::card {
namespace {

using nlohmann::json;

constexpr const char* driver_file = "/proc/driver/nvidia/version";

bool is_version(std::string_view word) {
  return word.find('.') != std::string_view::npos && std::isdigit(static_cast<unsigned char>(word.front())) != 0 &&
         std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

/// "NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...", or "NVIDIA UNIX Open Kernel Module for x86_64
/// 560.35.03".
std::string driver_line(const FileRoot& root) {
  const std::string text = root.read(driver_file).value_or("");
  return std::string(value_of(text, "NVRM version", ':').value_or(""));
}

std::optional<std::string> driver_version(const FileRoot& root, const std::string& line) {
  if (auto version = root.read("/sys/module/nvidia/version"); version && is_version(*version)) return version;
  const auto parts = words(line);
  const auto found = std::find_if(parts.begin(), parts.end(), is_version);
  return found == parts.end() ? std::nullopt : std::optional<std::string>(*found);
}

std::optional<std::string> driver_flavour(const std::string& line) {
  if (line.find("Open Kernel Module") != std::string::npos) return "open kernel module";
  if (line.find("Kernel Module") != std::string::npos) return "proprietary";
  return std::nullopt;
}

json link(const FileRoot& root, const std::string& what, const PcieLink& link, const std::string& file) {
  return {{"transfers_per_second",
           known_from(root, what + ".transfers_per_second", link.transfers_per_second, file + "_speed")},
          {"width", known_from(root, what + ".width", link.width, file + "_width")}};
}

/// The node of the CPUs that are nearest; -1 where the firmware says none.
std::optional<std::int64_t> numa_node(const FileRoot& root, const std::string& folder) {
  const auto node = integer_in(root.read(folder + "/numa_node"));
  return node && *node >= 0 ? node : std::nullopt;
}

/// What the driver knows of a GPU without being asked. Before the first use it writes question marks.
class Information {
 public:
  Information(const FileRoot& root, const std::string& pci)
      : path_("/proc/driver/nvidia/gpus/" + pci + "/information"), text_(root.read(path_).value_or("")) {}

  [[nodiscard]] json value(const FileRoot& root, const std::string& what, std::string_view key) const {
    const auto found = value_of(text_, key, ':');
    const bool is_known = found && !found->empty() && *found != "N/A" && found->find('?') == std::string_view::npos;
    return known_from(root, what, is_known ? std::optional<std::string>(*found) : std::nullopt, path_);
  }

 private:
  std::string path_, text_;
};

json gpu(const FileRoot& root, const std::string& what, const NvidiaDevice& device) {
  const std::string folder = "/sys/bus/pci/devices/" + device.pci;
  const auto id = device.device_id.empty() ? std::nullopt : std::optional(device.device_id);
  const Information information(root, device.pci);
  return {{"pci", device.pci},
          {"device_id", known_from(root, what + ".device_id", id, folder + "/device")},
          {"driver", device.driver.empty() ? "none" : device.driver},
          {"name", information.value(root, what + ".name", "Model")},
          {"uuid", information.value(root, what + ".uuid", "GPU UUID")},
          {"board", {{"vbios", information.value(root, what + ".board.vbios", "Video BIOS")}}},
          {"firmware", information.value(root, what + ".firmware", "GPU Firmware")},
          {"numa_node", known_from(root, what + ".numa_node", numa_node(root, folder), folder + "/numa_node")},
          {"link", link(root, what + ".link", device.link, folder + "/current_link")},
          {"link_max", link(root, what + ".link_max", device.link_max, folder + "/max_link")}};
}

/// One that the driver lists and the bus does not: a container without /sys, or Windows' subsystem.
NvidiaDevice listed_by_driver(const FileRoot& root, const std::string& pci) {
  const std::string folder = "/sys/bus/pci/devices/" + pci;
  for (const char* file :
       {"/device", "/current_link_speed", "/current_link_width", "/max_link_speed", "/max_link_width"})
    (void)root.read(folder + file);  // so that the reason is known
  return {.pci = pci, .driver = "nvidia"};
}

json gpus(const FileRoot& root, const NvidiaPresence& found) {
  std::vector<NvidiaDevice> devices = found.devices;
  for (const std::string& pci : found.driver_gpus) {
    const auto is_same = [&](const NvidiaDevice& device) { return device.pci == pci; };
    if (std::none_of(devices.begin(), devices.end(), is_same)) devices.push_back(listed_by_driver(root, pci));
  }
  json list = json::array();
  for (const NvidiaDevice& device : devices)
    list.push_back(gpu(root, "nvidia.gpus." + std::to_string(list.size()), device));
  return list;
}

}  // namespace

json nvidia(const FileRoot& root, const EnvironmentLookup& environment) {
  const NvidiaPresence found = find_nvidia(root);
  const auto present = found.looked || found.exists ? std::optional(found.exists) : std::nullopt;
  return {{"present", known(root, "nvidia.present", present, found.evidence)},
          {"evidence", found.evidence},
          {"gpus", gpus(root, found)},
          {"nodes", found.nodes},
          {"driver_gpus", found.driver_gpus},
          {"switches", found.switches},
          {"slicing", slicing_evidence(root, environment)},
          {"environment", known(root, "nvidia.environment", gpu_environment(environment),
                                "a copied tree does not tell what is set on its machine")}};
}

json software(const FileRoot& root, const EnvironmentLookup& environment, const std::string& driver_by_nvml) {
  const std::string line = driver_line(root);
  auto driver = driver_version(root, line);
  if (!driver && !driver_by_nvml.empty()) driver = driver_by_nvml;  // a container may hide the files
  return {{"driver", known_from(root, "software.driver", driver, driver_file)},
          {"driver_flavour",
           known_from(root, "software.driver_flavour", driver ? driver_flavour(line) : std::nullopt, driver_file)},
          {"libraries", cuda_libraries(root, environment, driver.value_or(""))}};
}

}  // namespace warpmark::card
