// SPDX-License-Identifier: Apache-2.0
// The test double does what the other tests rely on: a clock that stands still, and work that nobody waits for.
#include "tests/harness/measure/scripted_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/harness/measure/host_clock.h"

namespace warpmark {
namespace {

using SteadyClock = std::chrono::steady_clock;

TEST(ScriptedHostClock, MovesWhenToldAndNotOtherwise) {
  ScriptedHostClock clock;
  const auto start = SteadyClock::now();
  EXPECT_EQ(SteadyClock::now(), start);
  clock.advance(1e-6);
  EXPECT_EQ(SteadyClock::now() - start, std::chrono::microseconds(1));
  clock.advance_to(0);
  EXPECT_EQ(SteadyClock::now() - start, std::chrono::microseconds(1)) << "never backwards";
}

TEST(ScriptedHostClock, IsOfItsThreadAndItsLifetimeAlone) {
  const auto before = SteadyClock::now();
  {
    ScriptedHostClock clock;
    clock.advance(1e9);
    EXPECT_GT(SteadyClock::now() - before, std::chrono::seconds(1'000'000));
    SteadyClock::time_point elsewhere;
    std::thread([&] { elsewhere = SteadyClock::now(); }).join();
    EXPECT_LT(elsewhere - before, std::chrono::seconds(1'000'000));
  }
  EXPECT_LT(SteadyClock::now() - before, std::chrono::seconds(1'000'000));
}

TEST(ScriptedStream, RunsNothingBeforeSomebodyWaits) {
  ScriptedDevice device;
  ScriptedStream stream(device);
  int ran = 0;
  stream.launch([&](std::int64_t) { ++ran; });
  EXPECT_EQ(ran, 0);
  stream.wait();
  EXPECT_EQ(ran, 1);
}

TEST(ScriptedStream, TakesTheScriptsSecondsOnBothClocks) {
  ScriptedHostClock host;
  ScriptedDevice device;
  device.script().seconds = seconds_by_launch(1, 0.5, {0.25, 0.125});
  device.script().submit_seconds = 0.001;
  ScriptedStream stream(device);
  const auto start = SteadyClock::now();
  const auto three = [](Stream& s) {
    for (int i = 0; i < 3; ++i) static_cast<ScriptedStream&>(s).launch([](std::int64_t) {});
  };
  EXPECT_EQ(stream.time(three), 0.5 + 0.25 + 0.125);
  EXPECT_EQ(SteadyClock::now() - start, std::chrono::milliseconds(1 + 500 + 250 + 125));
  EXPECT_EQ(stream.time(three), 3 * 0.125);
}

}  // namespace
}  // namespace warpmark
