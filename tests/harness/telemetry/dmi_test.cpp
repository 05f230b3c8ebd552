// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/dmi.h"

#include <gtest/gtest.h>

#include "harness/telemetry/machine.h"
#include "tests/harness/telemetry/tree.h"

namespace warpmark {
namespace {

/// A type 17 structure as SMBIOS 3.2 has it, 0x54 bytes long, with one string behind it.
struct Module {
  int width = 64;
  int megabytes = 0;  // 0x7fff: see extended
  int extended_megabytes = 0;
  int type = 0x22;
  int speed = 4800;
  int configured = 4400;
};

void put(std::string& bytes, std::size_t at, int value, int count) {
  for (int i = 0; i < count; ++i)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>((value >> (8 * i)) & 0xff);
}

std::string structure(const Module& m) {
  std::string bytes(0x54, '\0');
  put(bytes, 0x00, 17, 1);
  put(bytes, 0x01, 0x54, 1);
  put(bytes, 0x08, m.width + 8, 2);  // with error correction
  put(bytes, 0x0a, m.width, 2);
  put(bytes, 0x0c, m.megabytes, 2);
  put(bytes, 0x12, m.type, 1);
  put(bytes, 0x15, m.speed, 2);
  put(bytes, 0x1c, m.extended_megabytes, 4);
  put(bytes, 0x20, m.configured, 2);
  return bytes + std::string("DIMM_A1\0\0", 9);
}

/// Type 0 without strings, whose first byte is a NUL: a table must not be trimmed.
std::string bios() { return std::string("\0\x05\0\0\x01", 5) + std::string("\0\0", 2); }
std::string end_of_table() { return std::string("\x7f\x04\0\0\0\0", 6); }

TEST(MemorySlots, PutsLikeModulesTogetherAndCountsEmptySlots) {
  const Module large{.megabytes = 0x7fff, .extended_megabytes = 65536};
  const Module small{.megabytes = 16384, .type = 0x1a, .speed = 3200, .configured = 2933};
  const MemorySlots memory = memory_slots(bios() + structure(large) + structure(Module{}) + structure(large) +
                                          structure(small) + end_of_table());
  EXPECT_EQ(memory.slots, 4);
  ASSERT_EQ(memory.modules.size(), 2U);
  EXPECT_EQ(memory.modules[0].count, 2);
  EXPECT_EQ(memory.modules[0].bytes, 64LL << 30);
  EXPECT_EQ(memory.modules[0].type, "DDR5");
  EXPECT_EQ(memory.modules[0].width_bits, 64);
  EXPECT_EQ(memory.modules[0].transfers_per_second, 4'800'000'000);
  EXPECT_EQ(memory.modules[0].transfers_per_second_set, 4'400'000'000);
  EXPECT_EQ(memory.modules[1].count, 1);
  EXPECT_EQ(memory.modules[1].bytes, 16LL << 30);
  EXPECT_EQ(memory.modules[1].type, "DDR4");
}

TEST(MemorySlots, LeavesUnknownOut) {
  const MemorySlots memory =
      memory_slots(structure({.width = 0xffff, .megabytes = 1024, .type = 2, .speed = 0, .configured = 0}));
  ASSERT_EQ(memory.modules.size(), 1U);
  EXPECT_EQ(memory.modules[0].type, "");
  EXPECT_EQ(memory.modules[0].width_bits, std::nullopt);
  EXPECT_EQ(memory.modules[0].transfers_per_second, std::nullopt);
  EXPECT_EQ(memory.modules[0].transfers_per_second_set, std::nullopt);
}

TEST(MemorySlots, UnderstandsKibibytes) {
  const MemorySlots memory = memory_slots(structure({.megabytes = 0x8000 + 512}));
  ASSERT_EQ(memory.modules.size(), 1U);
  EXPECT_EQ(memory.modules[0].bytes, 512 << 10);
}

TEST(MemorySlots, StopsAtTheEndOfTheTable) {
  EXPECT_EQ(memory_slots(end_of_table() + structure({.megabytes = 1024})).slots, 0);
  EXPECT_EQ(memory_slots(structure({.megabytes = 1024}) + end_of_table()).slots, 1);
}

TEST(MemorySlots, SurvivesEveryCutAndEveryBrokenLength) {
  const std::string table = bios() + structure({.megabytes = 1024}) + structure({.megabytes = 2048}) + end_of_table();
  for (std::size_t bytes = 0; bytes <= table.size(); ++bytes) {
    EXPECT_LE(memory_slots(std::string_view(table).substr(0, bytes)).slots, 2);
  }
  for (int length = 0; length < 256; ++length) {
    std::string broken = table;
    put(broken, bios().size() + 1, length, 1);
    EXPECT_LE(memory_slots(broken).slots, 3);
  }
}

TEST(MachineCard, HasTheModulesOfTheFirmware) {
  const Tree tree("dual_socket");
  const std::string path = "/sys/firmware/dmi/tables/DMI";
  tree.write(path, bios() + structure({.megabytes = 16384, .configured = 0}) + structure(Module{}) + end_of_table());
  const auto memory = machine_card(tree.root())["memory"];
  EXPECT_EQ(memory["slots"], 2);
  EXPECT_EQ(memory["modules"], nlohmann::json::parse(R"([{"count":1,"bytes":17179869184,"type":"DDR5","width_bits":64,
      "transfers_per_second":4800000000,"transfers_per_second_set":null}])"));
  tree.write(path, bios() + end_of_table());  // as in many virtual machines
  EXPECT_EQ(machine_card(tree.root())["memory"]["slots"], nullptr);
}

TEST(DmiOf, ReadsTextsAndIsEmptyWithout) {
  const Dmi dmi = dmi_of(FileRoot(fixture_root("cloud_gpu_no_driver")));
  EXPECT_EQ(dmi.sys_vendor, "Amazon EC2");
  EXPECT_EQ(dmi.product_name, "g5.xlarge");
  EXPECT_FALSE(dmi.empty());
  EXPECT_TRUE(dmi_of(FileRoot(fixture_root("nothing_readable"))).empty());
}

}  // namespace
}  // namespace warpmark
