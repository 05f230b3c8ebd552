// SPDX-License-Identifier: Apache-2.0
// Where a CUDA library is looked for that users install in many ways: with the system, with a toolkit, with Python.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warpmark {

/// The value of an environment variable; null where it is not set.
using EnvironmentLookup = std::function<const char*(const char* name)>;

/// What Library::open is to try, in this order: the soname itself, which is the loader's own path; files of toolkits
/// (CUDA_HOME, CUDA_PATH, /usr/local/cuda and its neighbours); files in nvidia/*/lib of Python environments
/// (VIRTUAL_ENV, CONDA_PREFIX, that of the first python3 on PATH). Of files, those that lie below `root`, each once;
/// none in a folder `stubs` or `compat`, whose libraries do nothing or belong to another driver. The environment may
/// say anything: only absolute folders are taken.
[[nodiscard]] std::vector<std::string> cuda_library_candidates(const std::string& soname,
                                                               const EnvironmentLookup& environment,
                                                               const std::filesystem::path& root);

/// Of this process, on this machine.
[[nodiscard]] std::vector<std::string> cuda_library_candidates(const std::string& soname);

/// The places above, for a person whose library was not found.
inline constexpr const char* cuda_library_places =
    "it is looked for in the loader's path, CUDA_HOME, CUDA_PATH, /usr/local/cuda*, and the Python environments of "
    "VIRTUAL_ENV, CONDA_PREFIX and python3";

}  // namespace warpmark
