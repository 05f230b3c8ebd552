// SPDX-License-Identifier: Apache-2.0
// The CUDA libraries that are installed, without loading one: their versions are in the names of their files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/dynlib/cuda_libraries.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// [{"name": "cublasLt", "version": "13.0.2.14", "path": ..., "supported": true | false | null, "why": ...}] of the
/// libraries that the loader and warpmark would find, each file once, in the order of looking. `supported` is whether
/// the kernel's driver, of version `driver` (empty: unknown), can work with it; `why` is there where that is not true.
/// The environment may be empty.
[[nodiscard]] nlohmann::json cuda_libraries(const FileRoot& root, const EnvironmentLookup& environment,
                                            const std::string& driver);

}  // namespace warpmark
