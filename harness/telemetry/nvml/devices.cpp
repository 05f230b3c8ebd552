// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvml/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace warpmark::nvml {

Devices devices(const Functions& library) {
  constexpr unsigned most = 256;
  const Answer<unsigned> count = ask<unsigned>(library.DeviceGetCount_v2);
  Devices found{.handles = {}, .why_none = count.why};
  for (unsigned i = 0; i < std::min(count.value.value_or(0), most); ++i)
    found.handles.push_back(ask<Device>(library.DeviceGetHandleByIndex_v2, i));
  return found;
}

std::string address(const PciInfo& pci) {
  const std::string_view text(pci.bus_id, strnlen(pci.bus_id, sizeof pci.bus_id));
  const std::size_t dot = text.rfind('.');
  const bool has_function =
      dot != std::string_view::npos && dot + 2 == text.size() && text[dot + 1] >= '0' && text[dot + 1] <= '7';
  return fmt::format("{:04x}:{:02x}:{:02x}.{}", pci.domain, pci.bus, pci.device, has_function ? text[dot + 1] : '0');
}

Answer<std::string> address_of(const Functions& library, Device device) {
  const auto pci = ask<PciInfo>(library.DeviceGetPciInfo_v3, device);
  if (!pci.value) return {.value = std::nullopt, .why = pci.why, .code = pci.code};
  return {.value = address(*pci.value)};
}

}  // namespace warpmark::nvml
