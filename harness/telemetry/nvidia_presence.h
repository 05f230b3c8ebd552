// SPDX-License-Identifier: Apache-2.0
// Finds NVIDIA GPUs without a driver. The CPU may stand in silently only where this finds none at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// As sysfs has it now. An idle GPU trains its link down, so `now` says little before there is load.
struct PcieLink {
  std::optional<double> transfers_per_second{};  // 16e9 for "16.0 GT/s PCIe"
  std::optional<std::int64_t> width{};           // lanes
};

struct NvidiaDevice {
  std::string pci{};        // "0000:3b:00.0"
  std::string device_id{};  // "0x2330"
  std::string driver{};     // kernel driver that is bound: "nvidia", "nouveau", "vfio-pci"; empty for none
  PcieLink link{}, link_max{};
};

struct NvidiaPresence {
  bool exists = false;
  bool looked = false;     // whether the PCI bus or /dev could be listed: without either, no GPU is unknown, not none
  std::string evidence{};  // one sentence: what was found, or where nothing was
  std::vector<NvidiaDevice> devices{};     // GPUs on the PCI bus; their audio and USB functions are none
  std::vector<std::string> nodes{};        // /dev/nvidia0 ..., /dev/dxg
  std::vector<std::string> switches{};     // PCI addresses of NVSwitches
  std::vector<std::string> driver_gpus{};  // PCI addresses in /proc/driver/nvidia/gpus
};

[[nodiscard]] NvidiaPresence find_nvidia(const FileRoot& root);

}  // namespace warpmark
