// SPDX-License-Identifier: Apache-2.0
// What NVML says of a machine's GPUs, as an object of JSON: the identity card before it meets the system's files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

/// {"nvml": {...}, "gpus": [...], "denied": [{"what": "gpus.0.ecc", "why": ...}]}. Every member is there; one that is
/// not to be had is null and has a reason in `denied` under its place, or under that of the object that holds it
/// (nvml.why alone is null where all is well). Texts are valid UTF-8, and data from outside. No serial numbers.
[[nodiscard]] nlohmann::json card(const Opened& opened);

/// The same where NVML was not asked, or did not answer.
[[nodiscard]] nlohmann::json card_without_answers(const std::string& why);

/// Names of all that a GPU of the card has: "index", "name", ...
[[nodiscard]] const std::vector<std::string>& gpu_members();

}  // namespace warpmark::nvml
