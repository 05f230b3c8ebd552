// SPDX-License-Identifier: Apache-2.0
// What the simulated L2 holds after what was touched.
#include "tests/fakes/machine/l2_cache.h"

#include <gtest/gtest.h>

namespace warpmark::fakes {
namespace {

TEST(L2, HoldsWhatWasTouchedLast) {
  L2Cache cache(100);
  EXPECT_FALSE(cache.touch({{0, 60}}));
  EXPECT_TRUE(cache.touch({{0, 60}}));
  EXPECT_TRUE(cache.touch({{10, 20}})) << "a part of it";
  EXPECT_FALSE(cache.touch({{200, 260}}));
  EXPECT_FALSE(cache.touch({{0, 60}})) << "there was no room for both";
}

TEST(L2, PiecesThatLieSideBySideAreOne) {
  L2Cache cache(100);
  (void)cache.touch({{0, 30}, {30, 50}});
  EXPECT_TRUE(cache.touch({{10, 45}}));
  EXPECT_FALSE(cache.touch({{10, 55}}));
}

TEST(L2, WhatDoesNotFitIsNeverHeldWhole) {
  L2Cache cache(100);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(cache.touch({{0, 150}}));
  EXPECT_TRUE(cache.touch({{60, 150}})) << "its end is";
  EXPECT_FALSE(cache.touch({{0, 60}, {200, 260}}));
}

}  // namespace
}  // namespace warpmark::fakes
