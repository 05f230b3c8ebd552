// SPDX-License-Identifier: Apache-2.0
// What the firmware says of the machine: DMI strings, and the memory modules of the SMBIOS table (readable by root
// only).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// Empty strings are unknown. Serial numbers and UUIDs are left alone: they name the owner's machine.
struct Dmi {
  std::string sys_vendor{}, product_name{}, board_vendor{}, bios_vendor{}, bios_version{};
  std::string chassis_asset_tag{};  // for telling clouds apart only: elsewhere it is an inventory number

  [[nodiscard]] bool empty() const;
};

[[nodiscard]] Dmi dmi_of(const FileRoot& root);

/// Memory modules that are alike.
struct MemoryModules {
  std::int64_t count = 0;
  std::int64_t bytes = 0;                                  // of one
  std::string type{};                                      // "DDR5"; empty: unknown
  std::optional<std::int64_t> width_bits{};                // data bits, without those for error correction
  std::optional<std::int64_t> transfers_per_second{};      // what the module can do
  std::optional<std::int64_t> transfers_per_second_set{};  // what it was configured to

  [[nodiscard]] bool alike(const MemoryModules& other) const;
};

struct MemorySlots {
  std::int64_t slots = 0;  // with and without a module
  std::vector<MemoryModules> modules{};
};

/// Reads the type 17 structures (SMBIOS 3.7, section 7.18) of a table. Stops at whatever does not fit: the table is
/// data from outside.
[[nodiscard]] MemorySlots memory_slots(std::string_view smbios_table);

}  // namespace warpmark
