// SPDX-License-Identifier: Apache-2.0
// Rows of text about one GPU, or several alike: facts that stay, and those of the moment, which may differ between GPUs
// that are otherwise the same.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpmark {

using Gpus = std::vector<const nlohmann::json*>;

struct GpuRow {
  const char* label = "";
  std::vector<std::string> (*stays)(const nlohmann::json& gpu) = nullptr;
  std::vector<std::string> (*now)(const Gpus& gpus) = nullptr;  // shown first; null: none
};

/// In the order of showing.
[[nodiscard]] const std::vector<GpuRow>& gpu_rows();

/// What a renter should know before trusting the GPU's numbers; none where all is as it should be. An idle link, errors
/// of long ago, settings of the owner's choice and facts that are not there by nature are no such thing.
[[nodiscard]] std::vector<std::string> conspicuous(const nlohmann::json& gpu);

}  // namespace warpmark
