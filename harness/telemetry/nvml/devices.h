// SPDX-License-Identifier: Apache-2.0
// The GPUs that NVML has, by its own numbers, and their PCI addresses, which say whose numbers they are elsewhere.
#pragma once

#include <string>
#include <vector>

#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

/// By its number; a handle that is refused says why. Empty, with the reason, where they are not counted. At most 256: a
/// count that is no count must not hold us.
struct Devices {
  std::vector<Answer<Device>> handles{};
  std::string why_none{};
};
[[nodiscard]] Devices devices(const Functions& library);

/// As sysfs writes it: "0000:1b:00.0". The function is in the text alone.
[[nodiscard]] std::string address(const PciInfo& pci);
[[nodiscard]] Answer<std::string> address_of(const Functions& library, Device device);

}  // namespace warpmark::nvml
