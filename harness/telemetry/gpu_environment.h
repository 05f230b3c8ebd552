// SPDX-License-Identifier: Apache-2.0
// What stands between a program and its GPUs beside the driver: variables that change what CUDA shows or does, and
// libraries that give a program a part of a GPU for a whole one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/dynlib/cuda_libraries.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// {"CUDA_VISIBLE_DEVICES": "0,1"} of a list of names; "(set)" for a value that is a path or no plain word. Empty where
/// there is no environment to look at.
[[nodiscard]] std::optional<nlohmann::json> gpu_environment(const EnvironmentLookup& environment);

/// One sentence for each sign that a GPU is sliced by a library before the driver's; none where there is no sign.
[[nodiscard]] std::vector<std::string> slicing_evidence(const FileRoot& root, const EnvironmentLookup& environment);

}  // namespace warpmark
