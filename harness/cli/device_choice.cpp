// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/device_choice.h"

#include <fmt/format.h>

#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/core/printable.h"
#include "harness/run/probe.h"

namespace warpmark {
namespace {

DeviceInfo device_named(const std::string& id, const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> ids{"auto"};
  for (const DeviceInfo& device : devices) {
    if (device.id == id) return device;
    ids.push_back(device.id);
  }
  throw UsageError(fmt::format("there is no device {}; did you mean {}? `warpmark list devices` shows what there is",
                               printable(id), nearest(id, ids)));
}

}  // namespace

ChosenDevice choose_device(const std::string& wanted, const std::vector<DeviceInfo>& devices,
                           const NvidiaPresence& nvidia) {
  if (wanted != "auto") return {.device = device_named(wanted, devices)};
  ChosenDevice chosen{.device = device_named("cpu:0", devices)};
  if (nvidia.exists)
    chosen.problem =
        fmt::format("{} This build has no cuda backend, so the CPU was measured; ask for that with --device cpu:0",
                    nvidia.evidence);
  else if (!nvidia.looked)
    chosen.problem = "Whether there is a GPU is unknown: neither /sys/bus/pci nor /dev can be listed. The CPU was measured; "
                     "ask for that with --device cpu:0";
  return chosen;
}

std::vector<DeviceInfo> probed_devices(bool measure_ceilings) {
  Probed probed = probe_devices(measure_ceilings);
  if (!probed.problem.empty()) throw DeviceError(probed.problem);
  return std::move(probed.devices);
}

}  // namespace warpmark
