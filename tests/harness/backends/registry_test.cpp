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
  EXPECT_EQ(cpu.count(), 1U);
}

TEST(Backends, GiveDevicesThatNameThem) {
  for (const Backend& backend : backends()) {
    if (backend.unavailable()) continue;
    for (std::size_t i = 0; i < backend.count(); ++i) {
      const std::unique_ptr<Device> device = backend.open(i);
      EXPECT_EQ(device->info().backend, backend.name);
      EXPECT_EQ(device->info().id, std::string(backend.name) + ":" + std::to_string(i));
    }
  }
}

}  // namespace
}  // namespace warpmark
