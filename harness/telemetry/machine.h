// SPDX-License-Identifier: Apache-2.0
// The machine card: everything about a machine that explains its numbers, as the `machine` object of a result document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/dynlib/cuda_libraries.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

struct MachineOptions {
  std::string host_label{};         // the host's name in the document; empty: a hash stands for it
  EnvironmentLookup environment{};  // empty: this process's; of a copied root, none
  std::string driver{};             // version of NVIDIA's driver, for where the system's files do not tell
};

/// Unknown is null, and `denied` has the reason under the same name ("cpu.governor", or "cpu" for all of it).
/// Neither host name, user name, serial numbers nor machine id are in it. Texts in it are valid UTF-8, and data from
/// outside.
[[nodiscard]] nlohmann::json machine_card(const FileRoot& root, const MachineOptions& options = {});

/// A path or command line without the user's name: the home folder written ~.
[[nodiscard]] std::string without_home(std::string_view text, std::string_view home);
/// The same with the environment's HOME.
[[nodiscard]] std::string without_home(std::string_view text);

}  // namespace warpmark
