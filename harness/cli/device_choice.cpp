// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/device_choice.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/cli/suggestion.h"
#include "harness/core/error.h"
#include "harness/run/probe.h"

namespace warpmark {
namespace {

DeviceInfo device_named(const std::string& id, const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> ids{"auto"};
  for (const DeviceInfo& device : devices) {
    if (device.id == id) return device;
    ids.push_back(device.id);
  }
  if (id.starts_with("cuda"))
    throw DeviceError(
        fmt::format("{} cannot be measured: this version finds NVIDIA GPUs but does not measure them yet; "
                    "measure the CPU with --device cpu:0",
                    as_typed(id)));
  throw UsageError(
      fmt::format("there is no device {}; {} (`warpmark list devices`)", as_typed(id), did_you_mean(id, ids)));
}

}  // namespace

ChosenDevice choose_device(const std::string& wanted, const std::vector<DeviceInfo>& devices,
                           const NvidiaPresence& nvidia) {
  if (wanted != "auto") return {.device = device_named(wanted, devices)};
  ChosenDevice chosen{.device = device_named("cpu:0", devices)};
  if (nvidia.exists)
    chosen.problem = fmt::format(
        "{} This version does not measure GPUs yet, so the CPU was measured; ask for that with --device cpu:0",
        nvidia.evidence);
  else if (!nvidia.looked)
    chosen.problem =
        "Whether there is a GPU is unknown: neither /sys/bus/pci nor /dev can be listed. The CPU was measured; "
        "ask for that with --device cpu:0";
  return chosen;
}

std::string why_no_processes() {
  if (access("/proc/self/exe", X_OK) != 0)
    return fmt::format("/proc/self/exe: {}; warpmark starts its own processes by it: mount /proc first",
                       std::strerror(errno));
  constexpr rlim_t least = 32;  // three streams, the journal, its folder, and both ends of a child's pipes
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < least)
    return fmt::format("only {} files may be open at once (ulimit -n), and warpmark needs {}: ulimit -n {}",
                       files.rlim_cur, least, 2 * least);
  return "";
}

std::vector<DeviceInfo> probed_devices(bool measure_ceilings) {
  if (const std::string why = why_no_processes(); !why.empty()) throw UsageError(why);
  Probed probed = probe_devices(measure_ceilings);
  if (!probed.problem.empty()) throw DeviceError(probed.problem);
  return std::move(probed.devices);
}

}  // namespace warpmark
