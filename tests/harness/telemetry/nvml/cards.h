// SPDX-License-Identifier: Apache-2.0
// What NVML says of machines that people rent, and their machine cards: an H200, eight H100, a divided H100, a GeForce.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace warpmark::nvml {

/// An H200 that is well and idle.
[[nodiscard]] nlohmann::json h200();
[[nodiscard]] nlohmann::json eight_h100();
/// With MIG on, into two instances.
[[nodiscard]] nlohmann::json divided_h100();
/// Of which much is unknown by nature.
[[nodiscard]] nlohmann::json rtx4090();

/// The GPU with other values at JSON pointers.
[[nodiscard]] nlohmann::json with(nlohmann::json gpu,
                                  std::initializer_list<std::pair<const char*, nlohmann::json>> changes);

/// The card of NVML with these GPUs.
[[nodiscard]] nlohmann::json card_of(const nlohmann::json& gpus,
                                     const nlohmann::json& denied = nlohmann::json::array());

/// A machine card of which the system's files show nothing, joined with that.
[[nodiscard]] nlohmann::json machine_of(const nlohmann::json& gpus,
                                        const nlohmann::json& denied = nlohmann::json::array());

}  // namespace warpmark::nvml
