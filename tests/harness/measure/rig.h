// SPDX-License-Identifier: Apache-2.0
// Scripted devices set up to be measured on, and the benchmark that most tests measure: to = 2 from, n elements of f64.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "harness/core/protocol.h"
#include "harness/measure/measure.h"
#include "tests/harness/measure/host_clock.h"
#include "tests/harness/measure/scripted_device.h"

namespace warpmark {

namespace ops {

struct Twice {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t n = 0;
};

}  // namespace ops

/// 8000 B read and 8000 B written per launch, bounded by the ceiling "memory_bandwidth". The kernel obeys
/// Script::writes and Script::spoil.
[[nodiscard]] Benchmark twice();
inline constexpr std::size_t twice_n = 1000;

/// Operands for `twice` in one set, checked against 2 from.
[[nodiscard]] Turn twice_turn(Setup& setup);

/// No least times, 10 to 100 samples, 1 %.
[[nodiscard]] Protocol short_protocol();

/// Host clock and devices "scripted:0" onwards, each with its arena and stream.
class Rig {
 public:
  explicit Rig(std::size_t devices = 1);

  [[nodiscard]] ScriptedDevice& device(std::size_t index = 0) { return devices_[index]; }
  [[nodiscard]] Script& script() { return devices_.front().script(); }
  [[nodiscard]] ScriptedHostClock& host() { return host_; }
  [[nodiscard]] const std::vector<Setup::Place>& places() const { return places_; }

  /// The benchmark's first case of that mode.
  [[nodiscard]] Record measure(const Benchmark& benchmark, Mode mode = Mode::isolated,
                               const Protocol& protocol = short_protocol());
  [[nodiscard]] Record measure_twice(const Protocol& protocol = short_protocol()) {
    return measure(twice(), Mode::isolated, protocol);
  }

 private:
  ScriptedHostClock host_{};
  std::deque<ScriptedDevice> devices_{};
  std::vector<std::unique_ptr<Stream>> streams_{};
  std::deque<Arena> arenas_{};
  std::vector<Setup::Place> places_{};
};

/// The first case of a benchmark on the scripted backend in that mode.
[[nodiscard]] Case first_case(const Benchmark& benchmark, Mode mode);

}  // namespace warpmark
