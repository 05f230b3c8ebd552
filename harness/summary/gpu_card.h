// SPDX-License-Identifier: Apache-2.0
// Finds the GPU in the machine card that a device of a document is, and what the card says against it. All of it comes
// from outside.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace warpmark {

/// The entry of machine.nvidia.gpus with the device's PCI address, else with its UUID; null JSON where there is none.
/// The place in the list says nothing: CUDA and the system count GPUs in different orders.
[[nodiscard]] const nlohmann::json& gpu_card_of(const nlohmann::json& machine, const nlohmann::json& device);

/// What the card says against its memory, of now and not of years: rows that could not be remapped or wait for it,
/// uncorrected errors since the driver was loaded. `text` goes on after the name of the card.
struct WornMemory {
  std::string text{};
  bool is_failed = false;  // it cannot be mended
};
[[nodiscard]] std::optional<WornMemory> worn_memory(const nlohmann::json& card);

/// A guest sees a link that its host makes up, or one that the platform is built with.
[[nodiscard]] bool is_guest(const nlohmann::json& machine, const nlohmann::json& card);

}  // namespace warpmark
