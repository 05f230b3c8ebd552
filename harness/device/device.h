// SPDX-License-Identifier: Apache-2.0
// The seam to hardware: a Backend lists Devices, a Device gives memory and Streams, a Stream runs work in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/dtype.h"
#include "harness/core/metric.h"

namespace warpmark {

class Device;

/// Device memory, given back with the object. Addresses are the device's: the host may not follow them.
class Buffer {
 public:
  Buffer(void* data, std::size_t bytes, std::function<void(void*)> release)
      : data_(data, std::move(release)), bytes_(bytes) {}
  [[nodiscard]] void* data() const { return data_.get(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<void, std::function<void(void*)>> data_;
  std::size_t bytes_;
};

/// Runs work in order on one device. Every call throws Error when the device refuses.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  [[nodiscard]] virtual Device& device() = 0;
  virtual void copy_in(void* device_to, const void* host_from, std::size_t bytes) = 0;
  virtual void copy_out(void* host_to, const void* device_from, std::size_t bytes) = 0;
  /// n elements uniform in [-1, 1), of int8 in [-128, 127] (harness/core/uniform.h), of u8 any byte; the first touch of
  /// fresh memory, so it decides where pages lie.
  virtual void fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) = 0;
  /// One cycle through all of `nodes` nodes, `stride_bytes` apart (harness/core/cycle.h): the first eight bytes of each
  /// become the address of the next. The first touch of fresh memory too, on behalf of one thread.
  virtual void fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) = 0;
  /// Every byte 0xff, which is NaN in all floating types.
  virtual void poison(void* device_to, std::size_t bytes) = 0;
  /// Seconds that the submitted work took, on the device's own clock.
  [[nodiscard]] virtual double time(const std::function<void(Stream&)>& submit) = 0;
  virtual void wait() = 0;
};

/// What is known of a device before anything runs on it. Unknown sizes and clocks are 0.
struct DeviceInfo {
  std::string id{};        // "cpu:0"
  std::string backend{};   // "cpu"
  std::string name{};      // the model, as the device says it: data from outside, never markup
  std::int64_t units = 0;  // cores or SMs that work is spread over
  std::int64_t memory_bytes = 0;
  std::int64_t last_level_cache_bytes = 0;
  double max_clock_hz = 0;
  Ceilings ceilings{};
  nlohmann::json facts =
      nlohmann::json::object();  // what only this backend has: instruction sets, compute capability, caches
};

/// What the units of a backend's devices are called, one of them.
[[nodiscard]] constexpr std::string_view unit_name(std::string_view backend) {
  return backend == "cuda" ? "SM" : backend == "cpu" ? "core" : "unit";
}

/// What a load brings into the caches of a backend's devices at a time.
[[nodiscard]] constexpr std::size_t cache_line_bytes(std::string_view backend) { return backend == "cuda" ? 128 : 64; }

/// Ends a watch and says what went on meanwhile, in the form of Record::telemetry.
using Watch = std::function<nlohmann::json()>;

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  /// Bytes that a benchmark may take now without making the machine swap or kill.
  [[nodiscard]] virtual std::int64_t memory_available() const = 0;
  /// Throws Skipped, with the size needed and the size there, when it does not fit.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  [[nodiscard]] virtual std::unique_ptr<Stream> stream() = 0;
  /// Rate of a unit ("f32_fma") over a few milliseconds, in its ceiling's unit; empty where the device has no such
  /// probe.
  [[nodiscard]] virtual std::optional<double> probe(std::string_view unit) = 0;
  /// Core clock now; empty where it cannot be had.
  [[nodiscard]] virtual std::optional<double> clock_hz() = 0;
  /// Begins to watch what makes a number doubtful on this device, such as throttling and load of others. Takes well
  /// under a millisecond at either end. Empty where there is nothing to watch.
  [[nodiscard]] virtual Watch watch() { return {}; }
  /// Fills in the ceilings that have to be measured. Takes up to a second: the probe process does it once for a run.
  virtual void measure_ceilings() = 0;
  /// Takes over ceilings that another process measured, so that all repeats of a run are held against the same.
  virtual void adopt_ceilings(Ceilings ceilings) = 0;
};

/// Why a backend, or one device of it, cannot be used here; nothing where it can.
struct Unavailable {
  std::string why{};    // what happened and what to do; empty: it can be used
  bool broken = false;  // its hardware or driver is there and does not work: nobody may take that for absence
  explicit operator bool() const { return !why.empty(); }
};

/// Its devices have the ids "<name>:0" to "<name>:<count - 1>".
struct Backend {
  std::string_view name{};
  Unavailable (*unavailable)() = nullptr;
  std::size_t (*count)() = nullptr;  // of devices; throws Error where the driver does not tell
  std::unique_ptr<Device> (*open)(std::size_t ordinal) = nullptr;  // throws Error where that one cannot be used
};

}  // namespace warpmark
