// SPDX-License-Identifier: Apache-2.0
// What a device was doing at one moment. A number that is not known is NaN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace warpmark {

enum class Quantity : std::size_t {
  clock_hz,
  memory_clock_hz,
  power_w,
  temperature_c,
  memory_temperature_c,
  utilization,  // 0 to 1
  memory_used_bytes,
  link_generation,
  link_width,
  load,  // tasks that run or wait to
};
/// As a record's telemetry names them, in the order of Quantity.
inline constexpr std::array<std::string_view, 10> quantity_names{
    "clock_hz",    "memory_clock_hz",   "power_w",         "temperature_c", "memory_temperature_c",
    "utilization", "memory_used_bytes", "link_generation", "link_width",    "load"};

/// What only ever grows: since the driver was loaded, or the machine started.
enum class Counter : std::size_t {
  energy_j,
  power_cap_seconds,
  thermal_seconds,
  pcie_sent_bytes,
  pcie_received_bytes,
  cpu_seconds,    // of all CPUs that are watched, whatever they did
  steal_seconds,  // of these, given to other guests of the hypervisor
  throttled_periods,
};
inline constexpr std::size_t counters = 8;

template <std::size_t count>
constexpr std::array<double, count> unknown_numbers() {
  std::array<double, count> all{};
  for (double& each : all) each = std::numeric_limits<double>::quiet_NaN();
  return all;
}

struct Reading {
  double at_seconds = 0;  // CLOCK_MONOTONIC
  std::array<double, quantity_names.size()> values = unknown_numbers<quantity_names.size()>();
  std::array<double, counters> counted = unknown_numbers<counters>();
  std::optional<std::uint64_t> reasons{};  // why the clock is not at its highest: bits of nvml::Reason

  double& operator[](Quantity quantity) { return values.at(static_cast<std::size_t>(quantity)); }
  double operator[](Quantity quantity) const { return values.at(static_cast<std::size_t>(quantity)); }
  double& operator[](Counter counter) { return counted.at(static_cast<std::size_t>(counter)); }
  double operator[](Counter counter) const { return counted.at(static_cast<std::size_t>(counter)); }
};

}  // namespace warpmark
