// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/registry.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

TEST(Backends, EndWithTheCpuWhichIsAlwaysUsable) {
  ASSERT_FALSE(backends().empty());
  const Backend& cpu = backends().back();
  EXPECT_EQ(cpu.name, "cpu");
  EXPECT_FALSE(cpu.unavailable());
  EXPECT_EQ(cpu.devices().size(), 1U);
}

TEST(Backends, GiveDevicesThatNameThem) {
  for (const Backend& backend : backends()) {
    if (backend.unavailable()) continue;
    for (const auto& device : backend.devices()) {
      EXPECT_EQ(device->info().backend, backend.name);
      EXPECT_TRUE(device->info().id.starts_with(std::string(backend.name) + ":")) << device->info().id;
    }
  }
}

}  // namespace
}  // namespace warpmark
