// SPDX-License-Identifier: Apache-2.0
// The probe: a child with a deadline that opens the devices and returns what they are and can do. A driver that hangs
// or crashes takes the probe with it, and nothing else.
#pragma once

#include <string>
#include <vector>

#include "harness/device/device.h"

namespace warpmark {

/// A backend that has no devices here.
struct MissingBackend {
  std::string name{};
  Unavailable unavailable{};
};

struct Probed {
  std::vector<DeviceInfo> devices{};      // in the order of preference
  std::vector<MissingBackend> missing{};  // backends that cannot be used, each with the reason
  std::string problem{};                  // why the probe told nothing; empty otherwise
};

/// Starts the probe and waits for it, at most 60 s. `measure` also measures the ceilings that cannot be derived.
[[nodiscard]] Probed probe_devices(bool measure);

/// The child's role: reads its order, writes one line. Returns its exit code.
[[nodiscard]] int probe_main();

/// Every device of every backend of this program, by id "cpu:0". Throws Error for an id that is not there.
[[nodiscard]] std::unique_ptr<Device> open_device(const std::string& id);

}  // namespace warpmark
