// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/simulation.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "tests/fakes/machine/refusal.h"

namespace warpmark::fakes {
namespace {

/// The device that one word of CUDA_VISIBLE_DEVICES means; the count where there is none.
std::size_t device_named(const std::vector<DeviceTruth>& devices, std::string_view word) {
  const auto by_uuid = [word](const DeviceTruth& d) { return d.uuid.starts_with(word); };
  if (word.starts_with("GPU-"))
    return static_cast<std::size_t>(std::find_if(devices.begin(), devices.end(), by_uuid) - devices.begin());
  std::size_t ordinal = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), ordinal);
  return problem == std::errc() && end == word.data() + word.size() ? ordinal : devices.size();
}

}  // namespace

std::vector<std::size_t> visible_devices(const std::vector<DeviceTruth>& devices, std::string_view variable) {
  std::vector<std::size_t> seen;
  while (!variable.empty()) {
    const std::size_t comma = std::min(variable.find(','), variable.size());
    const std::size_t device = device_named(devices, variable.substr(0, comma));
    if (device >= devices.size()) break;
    seen.push_back(device);
    variable.remove_prefix(std::min(comma + 1, variable.size()));
  }
  return seen;
}

Simulation::Simulation(Scenario scenario, const char* visible)
    : scenario_(std::move(scenario)),
      faults_(scenario_.faults, scenario_.path),
      host_jitter_(scenario_.jitter_sigma, scenario_.jitter_seed) {
  std::vector<std::size_t> seen(scenario_.devices.size());
  std::iota(seen.begin(), seen.end(), std::size_t{0});
  if (visible != nullptr) seen = visible_devices(scenario_.devices, visible);
  for (const std::size_t i : seen) {
    auto seed = scenario_.jitter_seed;
    if (seed) *seed += i;
    devices_.push_back(std::make_unique<SimulatedDevice>(scenario_.devices[i], static_cast<int>(i), faults_,
                                                         Jitter(scenario_.jitter_sigma, seed),
                                                         machine_activity(static_cast<int>(i))));
  }
}

SimulatedDevice& Simulation::device(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count()) throw Refusal{CUDA_ERROR_INVALID_DEVICE};
  return *devices_[static_cast<std::size_t>(ordinal)];
}

SimulatedDevice& Simulation::device_of(CUcontext context) {
  for (const auto& device : devices_)
    if (reinterpret_cast<CUcontext>(device.get()) == context && device->is_retained()) return *device;
  throw Refusal{CUDA_ERROR_INVALID_CONTEXT};
}

void Simulation::abandon_memory() {
  for (const auto& device : devices_) device->abandon_memory();
  pinned_.abandon_all();
}

ChipAndDriver Simulation::chip_of(const SimulatedDevice& device) const {
  return {.major = device.truth().major, .minor = device.truth().minor, .driver_version = scenario_.driver_version};
}

CUlibrary Simulation::load(const void* data) { return reinterpret_cast<CUlibrary>(&libraries_.emplace_back(data)); }

CUkernel Simulation::kernel(CUlibrary library, std::string_view name) {
  const auto images = std::find_if(libraries_.begin(), libraries_.end(), [library](const DeviceImages& each) {
    return reinterpret_cast<CUlibrary>(const_cast<DeviceImages*>(&each)) == library;
  });
  if (images == libraries_.end()) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
  for (Kernel& kernel : kernels_)
    if (kernel.images == &*images && kernel.name == name) return reinterpret_cast<CUkernel>(&kernel);
  if (!images->has_kernel(name)) throw Refusal{CUDA_ERROR_NOT_FOUND};
  kernels_.push_back({.images = &*images, .name = std::string(name)});
  return reinterpret_cast<CUkernel>(&kernels_.back());
}

const Kernel& Simulation::kernel_of(const void* handle) const {
  for (const Kernel& kernel : kernels_)
    if (&kernel == handle) return kernel;
  throw Refusal{CUDA_ERROR_INVALID_HANDLE};
}

}  // namespace warpmark::fakes
