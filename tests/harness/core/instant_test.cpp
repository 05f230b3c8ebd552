// SPDX-License-Identifier: Apache-2.0
#include "harness/core/instant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace warpmark {
namespace {

TEST(UtcNow, IsIso8601AndNow) {
  const std::time_t before = std::time(nullptr);
  const std::string now = utc_now();
  const std::time_t after = std::time(nullptr);
  std::tm parts{};
  ASSERT_NE(strptime(now.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts), nullptr) << now;
  EXPECT_EQ(now.size(), 20U);
  EXPECT_GE(timegm(&parts), before);
  EXPECT_LE(timegm(&parts), after);
}

}  // namespace
}  // namespace warpmark
