// SPDX-License-Identifier: Apache-2.0
// The NVIDIA GPUs of a machine card for people: what is there, how it is set, and what deserves a look.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/telemetry/card_rows.h"

namespace warpmark {

/// Rows about all of them: how many, their driver and libraries, and what stands between them and a program.
void add_nvidia_rows(shown::Rows& rows, const nlohmann::json& machine, const nlohmann::json& devices);

/// A block for each model: alike GPUs of one model are shown once, with what differs.
[[nodiscard]] std::string gpu_blocks(const nlohmann::json& machine, std::size_t columns);

}  // namespace warpmark
