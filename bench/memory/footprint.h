// SPDX-License-Identifier: Apache-2.0
// The axis that every memory benchmark sweeps: how many bytes all arrays take together, from the innermost cache to
// main memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/core/benchmark.h"
#include "harness/device/device.h"

namespace warpmark {

/// `footprint`: 16 KiB to 256 MiB in steps of four, and the word "memory": four times the last-level cache and at least
/// 1 GiB, but no more than a quarter of the memory.
[[nodiscard]] Axis footprint_axis();

/// Its value in bytes, "memory" as above. Throws Skipped where it is not positive, or where a quarter of the memory is
/// not four times the cache.
[[nodiscard]] std::int64_t footprint_bytes(const Case& at, const DeviceInfo& device);

class Footprint {
 public:
  /// `bytes_per_element` is of all arrays together. Throws Skipped when the footprint holds no element, or so few for
  /// each of many cores or SMs that starting them would be measured, or when a quarter of the memory is not four times
  /// the cache.
  Footprint(const Case& at, const DeviceInfo& device, std::size_t bytes_per_element);

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] std::size_t bytes() const { return n_ * bytes_per_element_; }
  /// Passes of one launch: small arrays are walked over until a launch moves 2 MiB for each core, so that starting
  /// the threads does not count.
  [[nodiscard]] std::size_t repeat() const { return passes_; }
  [[nodiscard]] double elements() const { return static_cast<double>(n_); }
  [[nodiscard]] double passes() const { return static_cast<double>(passes_); }

 private:
  std::size_t bytes_per_element_;
  std::size_t n_;
  std::size_t passes_;
};

/// The device's memory bandwidth from four times the last-level cache on; a reason for none below.
[[nodiscard]] CeilingRule memory_ceiling(const Case& at, const DeviceInfo& device);

}  // namespace warpmark
