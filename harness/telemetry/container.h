// SPDX-License-Identifier: Apache-2.0
// Which container engine this process runs under, told from the marks that engines leave.
#pragma once

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// An empty kind is unknown.
struct Container {
  std::string kind{};      // "docker", "podman", "kubernetes", "lxc", "systemd-nspawn", "apptainer", "none"
  std::string evidence{};  // what says so
};

[[nodiscard]] Container container_of(const FileRoot& root);

}  // namespace warpmark
