// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/dmi.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpmark {
namespace {

/// Little-endian fields of one structure; those beyond its length are 0, which SMBIOS uses for unknown.
class Structure {
 public:
  explicit Structure(std::string_view formatted) : formatted_(formatted) {}
  [[nodiscard]] std::int64_t byte(std::size_t at) const {
    return at < formatted_.size() ? static_cast<unsigned char>(formatted_[at]) : 0;
  }
  [[nodiscard]] std::int64_t word(std::size_t at) const { return byte(at) + (byte(at + 1) << 8); }
  [[nodiscard]] std::int64_t dword(std::size_t at) const { return word(at) + (word(at + 2) << 16); }

 private:
  std::string_view formatted_;
};

std::int64_t bytes_of(const Structure& device) {
  constexpr std::int64_t unknown = 0xffff, extended = 0x7fff, kib_unit = 0x8000;
  const std::int64_t size = device.word(0x0c);
  if (size == unknown) return 0;
  if (size == extended) return (device.dword(0x1c) & 0x7fffffff) << 20;
  return (size & kib_unit) != 0 ? (size & ~kib_unit) << 10 : size << 20;
}

std::optional<std::int64_t> speed_of(const Structure& device, std::size_t at, std::size_t extended_at) {
  std::int64_t mega = device.word(at);
  if (mega == 0xffff) mega = device.dword(extended_at) & 0x7fffffff;
  return mega == 0 ? std::nullopt : std::optional<std::int64_t>(mega * 1'000'000);
}

std::string type_of(std::int64_t code) {
  struct Name {
    std::int64_t code;
    const char* name;
  };
  constexpr std::array<Name, 13> names{{{0x18, "DDR3"},
                                        {0x1a, "DDR4"},
                                        {0x1b, "LPDDR"},
                                        {0x1c, "LPDDR2"},
                                        {0x1d, "LPDDR3"},
                                        {0x1e, "LPDDR4"},
                                        {0x1f, "NVDIMM"},
                                        {0x20, "HBM"},
                                        {0x21, "HBM2"},
                                        {0x22, "DDR5"},
                                        {0x23, "LPDDR5"},
                                        {0x24, "HBM3"},
                                        {0x13, "DDR2"}}};
  const auto* found = std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.code == code; });
  return found == names.end() ? "" : found->name;
}

MemoryModules module_of(const Structure& device) {
  const std::int64_t width = device.word(0x0a);
  MemoryModules module{.count = 1, .bytes = bytes_of(device), .type = type_of(device.byte(0x12))};
  if (width > 0 && width != 0xffff) module.width_bits = width;
  module.transfers_per_second = speed_of(device, 0x15, 0x54);
  module.transfers_per_second_set = speed_of(device, 0x20, 0x58);
  return module;
}

void add(MemorySlots& memory, const MemoryModules& module) {
  ++memory.slots;
  if (module.bytes == 0) return;  // an empty slot
  const auto same = std::find_if(memory.modules.begin(), memory.modules.end(),
                                 [&](const MemoryModules& m) { return m.alike(module); });
  if (same != memory.modules.end()) {
    ++same->count;
  } else {
    memory.modules.push_back(module);
  }
}

}  // namespace

bool Dmi::empty() const {
  return sys_vendor.empty() && product_name.empty() && board_vendor.empty() && bios_vendor.empty() &&
         bios_version.empty() && chassis_asset_tag.empty();
}

bool MemoryModules::alike(const MemoryModules& other) const {
  return bytes == other.bytes && type == other.type && width_bits == other.width_bits &&
         transfers_per_second == other.transfers_per_second &&
         transfers_per_second_set == other.transfers_per_second_set;
}

Dmi dmi_of(const FileRoot& root) {
  const auto text = [&](const char* name) { return root.read(std::string("/sys/class/dmi/id/") + name).value_or(""); };
  return {.sys_vendor = text("sys_vendor"),
          .product_name = text("product_name"),
          .board_vendor = text("board_vendor"),
          .bios_vendor = text("bios_vendor"),
          .bios_version = text("bios_version"),
          .chassis_asset_tag = text("chassis_asset_tag")};
}

MemorySlots memory_slots(std::string_view smbios_table) {
  constexpr std::int64_t memory_device = 17, end_of_table = 127;
  constexpr std::size_t header_bytes = 4;
  MemorySlots memory;
  while (smbios_table.size() >= header_bytes) {
    const Structure header(smbios_table.substr(0, header_bytes));
    const auto length = static_cast<std::size_t>(header.byte(1));
    if (header.byte(0) == end_of_table || length < header_bytes || length > smbios_table.size()) break;
    if (header.byte(0) == memory_device) add(memory, module_of(Structure(smbios_table.substr(0, length))));
    const std::size_t end = smbios_table.find(std::string_view("\0\0", 2), length);  // of the strings that follow
    if (end == std::string_view::npos) break;
    smbios_table.remove_prefix(end + 2);
  }
  return memory;
}

}  // namespace warpmark
