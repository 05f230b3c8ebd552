// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: devices, what they are, and their primary contexts.
#include <cuda.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "tests/fakes/driver/entry.h"

namespace warpmark::fakes {
namespace {

/// As many as fit, with a zero at the end.
void copy_text(const std::string& from, char* to, int room) {
  need(to);
  if (room < 1) throw Refusal{CUDA_ERROR_INVALID_VALUE};
  const std::size_t bytes = std::min(from.size(), static_cast<std::size_t>(room) - 1);
  std::memcpy(to, from.data(), bytes);
  to[bytes] = '\0';
}

int khz(double hz) { return static_cast<int>(std::lround(hz / 1e3)); }

/// Of an SM, by the programming guide's table of compute capabilities.
int most_threads(const DeviceTruth& d) {
  if (d.major == 7 && d.minor == 5) return 1024;
  const bool is_smaller = (d.major == 8 && d.minor > 0) || d.major == 12;
  return is_smaller ? 1536 : 2048;
}

std::optional<int> number_in(const DeviceTruth& d, CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return khz(d.sm_clock_hz);
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return khz(d.memory_clock_hz);
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return d.memory_bus_bits;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return static_cast<int>(d.l2_bytes);
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return d.sms;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return d.major;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return d.minor;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return most_threads(d);
    case CU_DEVICE_ATTRIBUTE_ECC_ENABLED: return d.ecc ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: return std::stoi(d.pci.substr(0, 4), nullptr, 16);
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: return std::stoi(d.pci.substr(5, 2), nullptr, 16);
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: return std::stoi(d.pci.substr(8, 2), nullptr, 16);
    default: return std::nullopt;
  }
}

/// The same for every device here.
std::optional<int> number_of_all(CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 2147483647;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 49152;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: return 65536;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return 2;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: return 1;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: return 0;
    default: return std::nullopt;
  }
}

CUuuid uuid_of(const std::string& text) {
  std::string digits = text.substr(4);  // after "GPU-"
  digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
  CUuuid uuid{};
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i)
    uuid.bytes[i] = static_cast<char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  return uuid;
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuDeviceGetCount(int* count) {
  return enter("cuDeviceGetCount", [count](Simulation& all) {
    need(count);
    *count = all.device_count();
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return enter("cuDeviceGet", [=](Simulation& all) {
    need(device);
    (void)all.device(ordinal);
    *device = ordinal;
  });
}

CUresult cuDeviceGetName(char* name, int room, CUdevice device) {
  return enter("cuDeviceGetName", [=](Simulation& all) { copy_text(all.device(device).truth().name, name, room); });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return enter("cuDeviceGetUuid", [=](Simulation& all) {
    need(uuid);
    *uuid = uuid_of(all.device(device).truth().uuid);
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  return enter("cuDeviceGetAttribute", [=](Simulation& all) {
    need(value);
    auto number = number_in(all.device(device).truth(), which);
    if (!number) number = number_of_all(which);
    if (!number) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *value = *number;
  });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return enter("cuDeviceTotalMem", [=](Simulation& all) {
    need(bytes);
    *bytes = all.device(device).truth().memory_bytes;
  });
}

CUresult cuDeviceGetPCIBusId(char* address, int room, CUdevice device) {
  return enter("cuDeviceGetPCIBusId",
               [=](Simulation& all) { copy_text(all.device(device).truth().pci, address, room); });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int /*flags*/) {
  return enter("cuDevicePrimaryCtxSetFlags", [=](Simulation& all) { (void)all.device(device); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return enter("cuDevicePrimaryCtxRetain", [=](Simulation& all) {
    need(context);
    SimulatedDevice& retained = all.device(device);
    if (all.faults().is_lost(retained.ordinal())) throw Refusal{CUDA_ERROR_UNKNOWN};
    retained.retain();
    *context = reinterpret_cast<CUcontext>(&retained);
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return enter("cuDevicePrimaryCtxRelease", [=](Simulation& all) { all.device(device).release(); });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return enter("cuCtxSetCurrent", [=](Simulation& all) {
    if (context != nullptr) (void)all.device_of(context);
    set_current_context(context);
  });
}
