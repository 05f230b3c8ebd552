// SPDX-License-Identifier: Apache-2.0
// From the word after --device to the device that is measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.h"
#include "harness/run/probe.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark {

struct ChosenDevice {
  DeviceInfo device{};
  std::string problem{};  // why a device that is present is not the one; empty: none
};

/// `auto` is the first GPU that can be measured, and the CPU only where no NVIDIA device exists; where one does that
/// cannot be used, another is chosen and the problem is said first. Throws UsageError with the nearest id for one that
/// is not there, DeviceError for one that cannot be measured.
[[nodiscard]] ChosenDevice choose_device(const std::string& wanted, const Probed& probed, const NvidiaPresence& nvidia);

/// Devices that are there and cannot be used, each as a line of text with the reason; empty where there is none. What
/// has such a line ends with ExitCode::device.
[[nodiscard]] std::vector<std::string> unusable_devices(const Probed& probed, const NvidiaPresence& nvidia);

/// Why the system would refuse a child process, and what to do: no /proc, too few open files. Empty where it would not.
[[nodiscard]] std::string why_no_processes();

/// The devices of this machine. Throws UsageError where no process starts.
[[nodiscard]] Probed all_devices();

/// Those that choosing `wanted` has to know: a driver that is not asked for is not opened. See means_within() for
/// `longest_seconds`.
[[nodiscard]] Probed devices_for(const std::string& wanted, bool measure_ceilings,
                                 std::optional<double> longest_seconds = std::nullopt);

}  // namespace warpmark
