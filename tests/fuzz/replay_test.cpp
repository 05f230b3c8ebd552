// SPDX-License-Identifier: Apache-2.0
// One fuzzer, over its seeds and over all that it ever found.
#include "tests/fuzz/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

TEST(Replay, SeedsHoldEveryProperty) {
  const Replayed seeds = replay(WARPMARK_SEEDS);
  EXPECT_THAT(seeds.findings, testing::IsEmpty());
  EXPECT_GE(seeds.accepted, 2U) << "a fuzzer that takes nothing for a good file looks at nothing but refusals";
  EXPECT_LT(seeds.accepted, seeds.files) << "a fuzzer that takes everything sees no refusal";
}

TEST(Replay, WhatWasFoundOnceIsMended) { EXPECT_THAT(replay(WARPMARK_REGRESSIONS).findings, testing::IsEmpty()); }

}  // namespace
}  // namespace warpmark
