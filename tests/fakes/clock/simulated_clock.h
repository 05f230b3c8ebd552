// SPDX-License-Identifier: Apache-2.0
// What libvclock.so keeps for the whole simulated machine, and how simulated libraries reach it: by these names, which
// only it has. All of it begins at 0.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

/// What a device has done: its driver writes it in the worker's process, and libraries in other processes read it.
struct DeviceActivity {
  std::atomic<std::int64_t> busy_until_ns;
  std::atomic<std::int64_t> busy_ns;  // in all, until then
  std::array<std::atomic<std::int64_t>, 4>
      held_ns;                           // of it, with the clock held down, by reason (machine/card_truth.h)
  std::atomic<std::int64_t> sent_bytes;  // over its link, to the host
  std::atomic<std::int64_t> received_bytes;
  std::atomic<std::int64_t> memory_bytes;  // that a process holds on it
  std::atomic<std::int64_t> process;       // that one; 0: none
};

extern "C" {

/// The machine's time in nanoseconds, in memory that all its processes share: whoever adds to it moves it for all, and
/// nobody takes away. Null where this process goes by the real clock. Looked up as "simulated_clock", once.
std::atomic<std::int64_t>* simulated_clock();

/// Of the device at that place in the scenario, in the same memory. Null where this process goes by the real clock, and
/// for a place that has no room there. Looked up as "simulated_activity".
DeviceActivity* simulated_activity(int device);
}
