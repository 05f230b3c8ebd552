// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "harness/core/error.h"
#include "harness/core/uniform.h"
#include "tests/harness/measure/scripted_device.h"

namespace warpmark {
namespace {

struct Workplace {
  ScriptedDevice device{};
  ScriptedStream stream{device};
  Arena arena{device, stream};
};

bool all_poison(const void* data, std::size_t bytes) {
  const std::span all(static_cast<const unsigned char*>(data), bytes);
  return std::all_of(all.begin(), all.end(), [](unsigned char byte) { return byte == 0xff; });
}

TEST(Arena, FillsTheSameContentOnce) {
  Workplace w;
  const void* const first = w.arena.random(100, DType::f64, 7);
  EXPECT_EQ(static_cast<const double*>(first)[3], uniform(7, 3));
  EXPECT_EQ(w.arena.random(100, DType::f64, 7), first);
  w.arena.recycle();
  EXPECT_EQ(w.arena.random(100, DType::f64, 7), first);
  EXPECT_EQ(w.device.fills, 1);
}

TEST(Arena, KeepsOtherContentApart) {
  Workplace w;
  const void* const first = w.arena.random(100, DType::f64, 7);
  EXPECT_NE(w.arena.random(100, DType::f64, 8), first);
  EXPECT_NE(w.arena.random(101, DType::f64, 7), first);
  EXPECT_EQ(w.device.fills, 3);
  EXPECT_EQ(static_cast<const double*>(first)[3], uniform(7, 3));
}

TEST(Arena, KeepsCyclesByTheirStrideToo) {
  Workplace w;
  const void* const first = w.arena.cycle(10, 64, 7);
  EXPECT_EQ(*static_cast<const void* const*>(first), static_cast<const std::byte*>(first) + 64);
  EXPECT_EQ(w.arena.cycle(10, 64, 7), first);
  EXPECT_NE(w.arena.cycle(5, 128, 7), first) << "as many bytes, other nodes";
  EXPECT_NE(w.arena.cycle(10, 64, 8), first);
  EXPECT_NE(w.arena.random(80, DType::f64, 7), first);
  w.arena.recycle();
  EXPECT_EQ(w.arena.cycle(10, 64, 7), first);
  EXPECT_EQ(w.device.fills, 4);
}

TEST(Arena, HandsOutPoisonApartWhileInUse) {
  Workplace w;
  void* const first = w.arena.poisoned(64);
  void* const second = w.arena.poisoned(64);
  EXPECT_NE(first, second);
  EXPECT_TRUE(all_poison(first, 64));
}

TEST(Arena, PoisonsRecycledMemoryAnew) {
  Workplace w;
  void* const first = w.arena.poisoned(64);
  std::memset(first, 0, 64);
  EXPECT_FALSE(all_poison(first, 64));
  w.arena.recycle();
  EXPECT_EQ(w.arena.poisoned(64), first);
  EXPECT_TRUE(all_poison(first, 64));
  EXPECT_EQ(w.device.allocations, 1);
}

TEST(Arena, DoesNotHandOutAnotherSizeOrFilledMemory) {
  Workplace w;
  const void* const filled = w.arena.random(8, DType::f64, 7);
  void* const poisoned = w.arena.poisoned(128);
  w.arena.recycle();
  EXPECT_NE(w.arena.poisoned(64), filled);
  EXPECT_NE(w.arena.poisoned(64), poisoned);
  EXPECT_EQ(w.device.allocations, 4);
}

TEST(Arena, PoisonsAgainWhatItHandedOutForResultsAlone) {
  Workplace w;
  void* const idle = w.arena.poisoned(32);
  w.arena.recycle();
  const void* const filled = w.arena.random(8, DType::f64, 7);
  void* const result = w.arena.poisoned(64);
  std::memset(result, 0, 64);
  std::memset(idle, 0, 32);
  w.arena.poison_again();
  EXPECT_TRUE(all_poison(result, 64));
  EXPECT_FALSE(all_poison(idle, 32));
  EXPECT_EQ(static_cast<const double*>(filled)[0], uniform(7, 0));
}

TEST(Arena, FreesWhatIsNotInUseUnderPressure) {
  Workplace w;
  w.device.script().memory_bytes = 1000;
  (void)w.arena.random(50, DType::f64, 7);  // 400 B
  (void)w.arena.poisoned(400);
  w.arena.recycle();
  void* const kept = w.arena.poisoned(400);
  EXPECT_NE(w.arena.poisoned(600), kept);
  EXPECT_EQ(w.device.live_bytes(), 1000);
}

TEST(Arena, FreesNothingThatIsInUse) {
  Workplace w;
  w.device.script().memory_bytes = 1000;
  void* const first = w.arena.poisoned(600);
  try {
    (void)w.arena.poisoned(600);
    FAIL() << "there are but 400 B";
  } catch (const Skipped& e) {
    EXPECT_STREQ(e.what(), "needs 600 B more memory, 400 B is free");
  }
  EXPECT_TRUE(all_poison(first, 600));
  EXPECT_EQ(w.device.live_bytes(), 600);
}

TEST(Arena, FillsAnewWhatItHadToFree) {
  Workplace w;
  w.device.script().memory_bytes = 1000;
  (void)w.arena.random(100, DType::f64, 7);
  w.arena.recycle();
  (void)w.arena.poisoned(400);
  w.arena.recycle();
  EXPECT_EQ(static_cast<const double*>(w.arena.random(100, DType::f64, 7))[99], uniform(7, 99));
  EXPECT_EQ(w.device.fills, 2);
}

TEST(Arena, GivesEverythingBack) {
  ScriptedDevice device;
  {
    ScriptedStream stream(device);
    Arena arena(device, stream);
    (void)arena.random(10, DType::f64, 1);
    (void)arena.poisoned(10);
    EXPECT_EQ(device.live_bytes(), 90);
  }
  EXPECT_EQ(device.live_bytes(), 0);
}

}  // namespace
}  // namespace warpmark
