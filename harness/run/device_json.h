// SPDX-License-Identifier: Apache-2.0
// A device's facts as JSON: in documents, and between the probe, the supervisor and the workers.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/device/device.h"

namespace warpmark {

[[nodiscard]] nlohmann::json to_json(const DeviceInfo& device);
[[nodiscard]] nlohmann::json to_json(const Ceilings& ceilings);
/// Reads what to_json wrote. Throws nlohmann::json::exception for anything else.
[[nodiscard]] DeviceInfo device_from_json(const nlohmann::json& json);
[[nodiscard]] Ceilings ceilings_from_json(const nlohmann::json& json);

}  // namespace warpmark
