// SPDX-License-Identifier: Apache-2.0
// What the cpu device's watch says of the real machine: each member or a reason, and the memory that is out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <optional>

#include "harness/backends/cpu/cpu_device.h"

namespace warpmark::cpu {
namespace {

using nlohmann::json;

constexpr std::int64_t page = 2 << 20;

std::int64_t asked(CpuDevice& device) {
  const json telemetry = device.watch()();
  if (!telemetry.contains("huge_pages")) return 0;
  return telemetry.at("huge_pages").at("asked_bytes").get<std::int64_t>();
}

bool is_denied(const json& telemetry, const std::string& what) {
  for (const json& one : telemetry.at("denied"))
    if (one.at("what") == what) return true;
  return false;
}

TEST(CpuWatch, SaysOrDeniesEverything) {
  CpuDevice device;
  const Buffer buffer = device.allocate(4 * page);
  std::memset(buffer.data(), 1, buffer.bytes());
  const json telemetry = device.watch()();
  for (const char* what : {"steal_share", "others_cpus", "throttled_periods", "huge_pages"})
    EXPECT_NE(telemetry.contains(what), is_denied(telemetry, what)) << what << telemetry;
}

TEST(CpuWatch, CountsTheMemoryThatAskedForHugePages) {
  CpuDevice device;
  if (is_denied(
          [&] {
            const Buffer probe = device.allocate(8 * page);
            return device.watch()();
          }(),
          "huge_pages"))
    GTEST_SKIP() << "this machine does not say what lies on huge pages";
  EXPECT_EQ(asked(device), 0);
  std::optional<Buffer> large(device.allocate(8 * page));
  const std::int64_t of_large = asked(device);
  EXPECT_GE(of_large, 7 * page) << "the first and the last page may be cut";
  EXPECT_LE(of_large, 8 * page);
  const Buffer small = device.allocate(page / 2);
  EXPECT_EQ(asked(device), of_large) << "less than a page does not ask";
  large.reset();
  EXPECT_EQ(asked(device), 0);
}

TEST(CpuWatch, BuffersMayOutliveTheDevice) {
  std::optional<CpuDevice> device(std::in_place);
  const Buffer buffer = device->allocate(4 * page);
  device.reset();
  std::memset(buffer.data(), 1, buffer.bytes());  // released after the device: nothing is left of it to touch
}

}  // namespace
}  // namespace warpmark::cpu
