// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/measure/scripted_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/uniform.h"
#include "tests/harness/measure/host_clock.h"

namespace warpmark {
namespace {

std::optional<double> next_of(const std::vector<double>& readings, std::size_t& count) {
  if (readings.empty()) return std::nullopt;
  return readings[std::min(count++, readings.size() - 1)];
}

}  // namespace

LaunchSeconds seconds_by_launch(std::int64_t first, double warm, const std::vector<double>& then) {
  return [=](std::int64_t launch) {
    if (launch < first) return warm;
    return then[std::min(static_cast<std::size_t>(launch - first), then.size() - 1)];
  };
}

ScriptedDevice::ScriptedDevice(std::string id) {
  info_.id = std::move(id);
  info_.backend = "scripted";
  info_.name = "scripted device";
}

Buffer ScriptedDevice::allocate(std::size_t bytes) {
  if (static_cast<std::int64_t>(bytes) > memory_available())
    throw Skipped(fmt::format("needs {} B more memory, {} B is free", bytes, memory_available()));
  ++allocations;
  live_bytes_ += static_cast<std::int64_t>(bytes);
  return {new unsigned char[bytes], bytes, [this, bytes](void* data) {
            live_bytes_ -= static_cast<std::int64_t>(bytes);
            delete[] static_cast<unsigned char*>(data);
          }};
}

std::unique_ptr<Stream> ScriptedDevice::stream() { return std::make_unique<ScriptedStream>(*this); }

std::optional<double> ScriptedDevice::probe(std::string_view unit) {
  probed.emplace_back(unit);
  return next_of(script_.probe, probe_readings_);
}

std::optional<double> ScriptedDevice::clock_hz() { return next_of(script_.clock_hz, clock_readings_); }

Watch ScriptedDevice::watch() {
  if (!script_.telemetry) return {};
  watched.push_back(launches);
  return [this] {
    watched.push_back(launches);
    return *script_.telemetry;
  };
}

void ScriptedStream::copy_in(void* device_to, const void* host_from, std::size_t bytes) {
  wait();
  std::memcpy(device_to, host_from, bytes);
}

void ScriptedStream::copy_out(void* host_to, const void* device_from, std::size_t bytes) {
  wait();
  std::memcpy(host_to, device_from, bytes);
}

void ScriptedStream::fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) {
  if (dtype != DType::f64) throw Unsupported("the scripted device fills f64 alone");
  wait();
  ++device_.fills;
  for (std::size_t i = 0; i < n; ++i) static_cast<double*>(device_to)[i] = uniform(seed, i);
}

void ScriptedStream::fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t /*seed*/) {
  wait();
  ++device_.fills;
  auto* const first = static_cast<std::byte*>(device_to);
  for (std::size_t i = 0; i < nodes; ++i) {
    const void* const next = first + (i + 1) % nodes * stride_bytes;
    std::memcpy(first + i * stride_bytes, &next, sizeof next);
  }
}

void ScriptedStream::poison(void* device_to, std::size_t bytes) {
  wait();
  ++device_.poisons;
  std::memset(device_to, 0xff, bytes);
}

double ScriptedStream::time(const std::function<void(Stream&)>& submit) {
  wait();
  busy_seconds_ = 0;  // summed anew, so that one launch gives its seconds to the last bit
  submit(*this);
  wait();
  return busy_seconds_;
}

void ScriptedStream::launch(std::function<void(std::int64_t launch)> effect) {
  const std::int64_t index = device_.launches++;
  const double seconds = device_.script().seconds(index);
  busy_seconds_ += seconds;
  if (ScriptedHostClock* const host = ScriptedHostClock::current()) {
    host->advance(device_.script().submit_seconds);
    free_at_ns_ =
        std::max(free_at_ns_, host->nanoseconds()) + (std::isfinite(seconds) ? std::llround(seconds * 1e9) : 0);
  }
  queue_.push_back([effect = std::move(effect), index] { effect(index); });
}

void ScriptedStream::wait() {
  while (!queue_.empty()) {
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    work();
  }
  if (ScriptedHostClock* const host = ScriptedHostClock::current()) host->advance_to(free_at_ns_);
}

}  // namespace warpmark
