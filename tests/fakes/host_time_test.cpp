// SPDX-License-Identifier: Apache-2.0
// The host's time is the machine's where there is one, else the process's own.
#include "tests/fakes/machine/host_time.h"

#include <gtest/gtest.h>

namespace warpmark::fakes {
namespace {

TEST(HostTime, WithoutAMachinesIsTheProcesssOwn) {
  HostTime own(nullptr);
  EXPECT_EQ(0, own.seconds());
  own.spend(1e-6);
  own.wait_until(2);
  own.wait_until(1);
  EXPECT_EQ(2, own.seconds());
  EXPECT_EQ(0, HostTime(nullptr).seconds());
  EXPECT_EQ(nullptr, machine_time()) << "libvclock.so is not loaded";
}

TEST(HostTime, OfTheMachineGoesOnInTheNextProcess) {
  std::atomic<std::int64_t> machine{0};
  HostTime first(&machine);
  first.spend(1e-6);
  first.wait_until(2);
  first.wait_until(1);
  EXPECT_EQ(2'000'000'000, machine);
  EXPECT_EQ(2, HostTime(&machine).seconds());
}

TEST(HostTime, WhatTheHostSleepsCounts) {
  std::atomic<std::int64_t> machine{0};
  HostTime time(&machine);
  machine += 3'000'000'000;
  EXPECT_EQ(3, time.seconds());
  time.spend(1e-6);
  EXPECT_EQ(3'000'001'000, machine);
}

TEST(HostTime, WaitsForTheWholeNanosecondAndNoLonger) {
  std::atomic<std::int64_t> machine{0};
  HostTime time(&machine);
  time.wait_until(1.5e-9);
  EXPECT_EQ(2, machine);
  for (std::int64_t now = 1; now < 1'000'000'000'000; now = now * 3 + 1) {
    machine = now;
    time.wait_until(time.seconds());
    ASSERT_EQ(now, machine) << "it has come that far already";
  }
}

}  // namespace
}  // namespace warpmark::fakes
