// SPDX-License-Identifier: Apache-2.0
// Whose machine this is and what it runs under, told from DMI, cpuid and the kernel's name; never by asking the
// network.
#pragma once

#include <string>

#include "harness/telemetry/cpu_model.h"
#include "harness/telemetry/dmi.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// An empty kind is unknown, and the evidence then says why.
struct Origin {
  std::string kind{};
  std::string evidence{};
};

/// "aws", "gcp", "azure", ...
[[nodiscard]] Origin cloud_of(const FileRoot& root, const Dmi& dmi);
/// The provider's name of the machine type, where DMI has it.
[[nodiscard]] Origin instance_type_of(const Origin& cloud, const Dmi& dmi);
/// "kvm", "hyperv", ..., or "none" on bare metal.
[[nodiscard]] Origin hypervisor_of(const FileRoot& root, const Dmi& dmi, const CpuModel& cpu);

}  // namespace warpmark
