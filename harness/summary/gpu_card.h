// SPDX-License-Identifier: Apache-2.0
// Finds the GPU in the machine card that a device of a document is. Both come from outside.
#pragma once

#include <nlohmann/json.hpp>

namespace warpmark {

/// The entry of machine.nvidia.gpus with the device's PCI address, else with its UUID; null JSON where there is none.
/// The place in the list says nothing: CUDA and the system count GPUs in different orders.
[[nodiscard]] const nlohmann::json& gpu_card_of(const nlohmann::json& machine, const nlohmann::json& device);

}  // namespace warpmark
