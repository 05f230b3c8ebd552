// SPDX-License-Identifier: Apache-2.0
#include "bench/memory/footprint.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.h"
#include "harness/core/units.h"

namespace warpmark {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
constexpr std::int64_t gib = 1024 * mib;
constexpr std::int64_t launch_bytes_per_unit = 2 * mib;
constexpr std::int64_t least_bytes_per_unit = 4 * kib;

std::int64_t units_of(const DeviceInfo& device) { return std::max<std::int64_t>(device.units, 1); }

std::size_t launch_bytes(const DeviceInfo& device) {
  return static_cast<std::size_t>(launch_bytes_per_unit * units_of(device));
}

std::int64_t memory_from(const DeviceInfo& device) { return 4 * device.last_level_cache_bytes; }

std::int64_t wanted_bytes(const Case& at, const DeviceInfo& device) {
  const AxisValue& value = at["footprint"];
  if (const auto* bytes = std::get_if<std::int64_t>(&value)) return *bytes;
  const std::int64_t wanted = std::max(gib, memory_from(device));
  return device.memory_bytes > 0 ? std::min(wanted, device.memory_bytes / 4) : wanted;
}

bool is_memory(const Case& at) { return std::holds_alternative<std::string>(at["footprint"]); }

}  // namespace

Axis footprint_axis() {
  Axis axis{.name = "footprint"};
  for (std::int64_t bytes = 16 * kib; bytes <= 256 * mib; bytes *= 4) axis.values.emplace_back(bytes);
  axis.values.emplace_back("memory");
  return axis;
}

std::int64_t footprint_bytes(const Case& at, const DeviceInfo& device) {
  const std::int64_t bytes = wanted_bytes(at, device);
  if (bytes <= 0) throw Skipped("a footprint has to be at least one byte");
  if (is_memory(at) && bytes < memory_from(device))
    throw Skipped(fmt::format("a quarter of the memory, {}, is less than four times the last-level cache of {}",
                              format_bytes(static_cast<double>(bytes)),
                              format_bytes(static_cast<double>(device.last_level_cache_bytes))));
  return bytes;
}

Footprint::Footprint(const Case& at, const DeviceInfo& device, std::size_t bytes_per_element)
    : bytes_per_element_(bytes_per_element),
      // Rounded up: "at least four times the cache" has to hold for what is really allocated.
      n_((static_cast<std::size_t>(wanted_bytes(at, device)) + bytes_per_element - 1) / bytes_per_element),
      passes_(std::max<std::size_t>(1, launch_bytes(device) / std::max<std::size_t>(1, n_ * bytes_per_element))) {
  const std::int64_t bytes = footprint_bytes(at, device);
  if (units_of(device) > 4 && bytes < least_bytes_per_unit * units_of(device))
    throw Skipped(fmt::format("{} over {} cores or SMs is less than {} each: starting them would be measured",
                              format_bytes(static_cast<double>(bytes)), units_of(device),
                              format_bytes(static_cast<double>(least_bytes_per_unit))));
}

CeilingRule memory_ceiling(const Case& at, const DeviceInfo& device) {
  if (device.last_level_cache_bytes <= 0)
    return {.why_none = "the size of the last-level cache is not known, so the arrays may fit into it"};
  if (wanted_bytes(at, device) >= memory_from(device)) return {.name = "memory_bandwidth"};
  return {.why_none = "the arrays fit into or near the last-level cache of " +
                      format_bytes(static_cast<double>(device.last_level_cache_bytes)) +
                      "; a memory ceiling applies from four times that on"};
}

}  // namespace warpmark
