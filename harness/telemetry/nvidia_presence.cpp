// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvidia_presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

constexpr const char* pci_folder = "/sys/bus/pci/devices";

/// Class codes start with base class and subclass: 0x0300 is a VGA controller, 0x0302 a 3D controller (no display
/// connector, as in data centres). The card's audio (0x0403), USB (0x0c03) and UCSI (0x0c80) functions, NVSwitches and
/// bridges (0x06..) carry the same vendor.
bool is_gpu(std::string_view vendor, std::string_view pci_class) {
  return vendor == "0x10de" && (pci_class.starts_with("0x0300") || pci_class.starts_with("0x0302"));
}

/// What connects the GPUs of one board among each other: a bridge that is none of PCI's kinds (0x0680).
std::vector<std::string> pci_switches(const FileRoot& root) {
  std::vector<std::string> switches;
  for (const std::string& name : root.list(pci_folder)) {
    const std::string folder = std::string(pci_folder) + '/' + name;
    if (root.read(folder + "/vendor").value_or("") == "0x10de" &&
        root.read(folder + "/class").value_or("").starts_with("0x0680"))
      switches.push_back(name);
  }
  return switches;
}

PcieLink link_of(const FileRoot& root, const std::string& folder, const std::string& prefix) {
  PcieLink link{.width = integer_in(root.read(folder + prefix + "_link_width"))};
  const auto speed = root.read(folder + prefix + "_link_speed");  // "16.0 GT/s PCIe", or "Unknown"
  const auto parts = words(speed ? std::string_view(*speed) : std::string_view());
  const auto giga = parts.size() >= 2 && parts[1] == "GT/s" ? number(parts[0]) : std::nullopt;
  if (giga && *giga > 0) link.transfers_per_second = *giga * 1e9;
  if (link.width && (*link.width <= 0 || *link.width > 32)) link.width.reset();  // 0 and 255: the link is down
  return link;
}

std::vector<NvidiaDevice> pci_gpus(const FileRoot& root) {
  std::vector<NvidiaDevice> gpus;
  for (const std::string& name : root.list(pci_folder)) {
    const std::string folder = std::string(pci_folder) + '/' + name;
    if (!is_gpu(root.read(folder + "/vendor").value_or(""), root.read(folder + "/class").value_or(""))) continue;
    gpus.push_back({.pci = name,
                    .device_id = root.read(folder + "/device").value_or(""),
                    .driver = root.link_name(folder + "/driver").value_or(""),
                    .link = link_of(root, folder, "/current"),
                    .link_max = link_of(root, folder, "/max")});
  }
  return gpus;
}

/// A package of the Windows driver store: "nv_dispi.inf_amd64_...", or a laptop maker's "nvlti.inf_amd64_...".
/// Windows itself brings nvdimm, nvraid and nvstor, which are no GPU's.
bool is_nvidia_package(std::string_view name) {
  constexpr std::array<std::string_view, 3> of_windows{"nvdimm.", "nvraid.", "nvstor."};
  const auto is_start = [&](std::string_view start) { return name.starts_with(start); };
  return is_start("nv") && name.find(".inf_") != std::string_view::npos &&
         std::none_of(of_windows.begin(), of_windows.end(), is_start);
}

/// WSL2 has /dev/dxg for the GPU of any maker. Windows' driver packages are visible in /usr/lib/wsl/drivers; where they
/// are and none is NVIDIA's, the GPU is another's. Where they are not (a container), it may be NVIDIA's.
bool dxg_may_be_nvidia(const FileRoot& root) {
  if (!root.has_file("/dev/dxg")) return false;
  const auto packages = root.list("/usr/lib/wsl/drivers");
  return packages.empty() || std::any_of(packages.begin(), packages.end(), is_nvidia_package);
}

std::vector<std::string> device_nodes(const FileRoot& root) {
  std::vector<std::string> nodes;
  for (const std::string& name : root.list("/dev")) {
    constexpr std::string_view prefix = "nvidia";  // not nvidiactl, nvidia-uvm, nvidia-caps: they need no GPU
    const bool numbered = name.starts_with(prefix) && name.size() > prefix.size() &&
                          name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (numbered && root.has_file("/dev/" + name)) nodes.push_back("/dev/" + name);
  }
  if (dxg_may_be_nvidia(root)) nodes.emplace_back("/dev/dxg");
  return nodes;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string evidence_of(const FileRoot& root, const NvidiaPresence& found) {
  std::vector<std::string> clauses;
  if (!found.devices.empty()) {
    std::vector<std::string> parts;
    std::transform(found.devices.begin(), found.devices.end(), std::back_inserter(parts), [](const NvidiaDevice& d) {
      return fmt::format("{} ({}, driver: {})", d.pci, d.device_id, d.driver.empty() ? "none" : d.driver);
    });
    clauses.push_back("NVIDIA GPU on the PCI bus: " + joined(parts));
  } else if (const std::string why = root.why_not(pci_folder); !why.empty()) {
    clauses.push_back("no PCI devices to look at (" + why + ")");
  } else {
    clauses.emplace_back("no display or 3D controller of vendor 0x10de on the PCI bus");
  }
  if (!found.nodes.empty()) {
    clauses.push_back(joined(found.nodes));
  } else if (const std::string why = root.why_not("/dev"); !why.empty()) {
    clauses.push_back("no device nodes to look at (" + why + ")");
  } else {
    clauses.emplace_back("no /dev/nvidia0 and the like, no /dev/dxg of theirs");
  }
  clauses.push_back(found.driver_gpus.empty() ? "nothing in /proc/driver/nvidia/gpus"
                                              : "/proc/driver/nvidia/gpus has " + joined(found.driver_gpus));
  return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace

NvidiaPresence find_nvidia(const FileRoot& root) {
  NvidiaPresence found{.devices = pci_gpus(root),
                       .nodes = device_nodes(root),
                       .switches = pci_switches(root),
                       .driver_gpus = root.list("/proc/driver/nvidia/gpus")};
  found.looked = root.why_not(pci_folder).empty() || root.why_not("/dev").empty();
  found.exists = !found.devices.empty() || !found.nodes.empty() || !found.driver_gpus.empty();
  found.evidence = evidence_of(root, found);
  return found;
}

}  // namespace warpmark
