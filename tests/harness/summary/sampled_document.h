// SPDX-License-Identifier: Apache-2.0
// Documents of a GPU whose records have readings of a sampler, as small as a test needs them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/document.h"

namespace warpmark {

/// Forty readings of a GPU at work in which nothing happened.
[[nodiscard]] nlohmann::json quiet_sampled();
/// The same after changes by JSON pointer.
[[nodiscard]] nlohmann::json sampled_with(const std::vector<std::pair<std::string, nlohmann::json>>& changes);
/// `share` of the readings were held down for that reason.
[[nodiscard]] nlohmann::json held_by(const std::string& reason, double share);

/// `count` cases of one repeat each on cuda:0, of which the first `hit` have these readings and the rest quiet ones.
/// The machine card has the GPU, on bare metal, at its default power limit.
[[nodiscard]] Document sampled_run(std::size_t count, std::size_t hit, const nlohmann::json& sampled);

}  // namespace warpmark
