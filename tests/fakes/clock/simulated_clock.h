// SPDX-License-Identifier: Apache-2.0
// How simulated libraries reach the time that libvclock.so keeps for the whole simulated machine: by this name, which
// only it has.
#pragma once

#include <atomic>
#include <cstdint>

extern "C" {

/// The machine's time in nanoseconds, in memory that all its processes share: whoever adds to it moves it for all, and
/// nobody takes away. Null where this process goes by the real clock. Looked up as "simulated_clock", once.
std::atomic<std::int64_t>* simulated_clock();
}
