// SPDX-License-Identifier: Apache-2.0
// Parameters of the stream's own kernels (stream_kernels.cu), each passed by value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::cuda {

/// stream_hold: one thread waits until *release is not 0, at most timeout_ns; then it writes 1 to *timed_out.
struct HoldParameters {
  volatile std::uint32_t* release = nullptr;  // host memory
  std::uint32_t* timed_out = nullptr;         // host memory
  std::uint64_t timeout_ns = 0;
};

/// stream_clock: one thread counts SM clocks over about `least_ns` of the device's own time.
struct ClockReading {
  std::uint64_t clocks = 0;
  std::uint64_t nanoseconds = 0;
};
struct ClockParameters {
  ClockReading* reading = nullptr;  // host memory
  std::uint64_t least_ns = 0;
};

/// stream_fill_<type>: n elements uniform in [-1, 1), of int8 in [-128, 127] (harness/core/uniform.h).
struct FillParameters {
  void* to = nullptr;
  std::size_t n = 0;
  std::uint64_t seed = 0;
};

/// stream_fill_cycle: one cycle through all nodes (harness/core/cycle.h).
struct CycleParameters {
  void* to = nullptr;
  std::size_t nodes = 0;
  std::size_t stride_bytes = 0;
  std::uint64_t seed = 0;
};

}  // namespace warpmark::cuda
