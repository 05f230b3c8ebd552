// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: memory of the device, pinned memory of the host, copies.
#include <cuda.h>

#include "tests/fakes/driver/entry.h"

namespace warpmark::fakes {
namespace {

/// Throws Refusal unless one allocation on the device holds all of it.
void need_on_device(const SimulatedDevice& device, CUdeviceptr address, std::size_t bytes) {
  if (!device.memory().holds(pointer_at(address), bytes)) throw Refusal{CUDA_ERROR_INVALID_VALUE};
}

void submit(Simulation& all, SimulatedDevice& device, CUstream stream,
            std::variant<Launch, Copy, Fill, Mark, Together> what) {
  all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = std::move(what)}));
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  return enter_context("cuMemAlloc", [=](Simulation&, SimulatedDevice& device) {
    need(address);
    if (bytes == 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *address = reinterpret_cast<CUdeviceptr>(device.allocate(bytes));
  });
}

CUresult cuMemFree(CUdeviceptr address) {
  return enter_context("cuMemFree", [=](Simulation& all, SimulatedDevice& device) {
    if (address != 0) device.free(pointer_at(address), all.host_seconds());
  });
}

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return enter_context("cuMemGetInfo", [=](Simulation&, SimulatedDevice& device) {
    need(free, total);
    *free = device.free_bytes();
    *total = device.truth().memory_bytes;
  });
}

CUresult cuMemHostAlloc(void** data, std::size_t bytes, unsigned int /*flags*/) {
  return enter_context("cuMemHostAlloc", [=](Simulation& all, SimulatedDevice&) {
    need(data);
    if (bytes == 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *data = all.pinned().allocate(bytes);
  });
}

CUresult cuMemFreeHost(void* data) {
  return enter_context("cuMemFreeHost", [=](Simulation& all, SimulatedDevice&) {
    for (int i = 0; i < all.device_count(); ++i) all.device(i).finish_all(all.host_seconds());
    if (!all.pinned().release(data)) throw Refusal{CUDA_ERROR_INVALID_VALUE};
  });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* data, unsigned int flags) {
  return enter_context("cuMemHostGetDevicePointer", [=](Simulation& all, SimulatedDevice&) {
    need(address);
    if (flags != 0 || !all.pinned().holds(data, 1)) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *address = reinterpret_cast<CUdeviceptr>(data);
  });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return enter_context("cuMemcpyHtoDAsync", [=](Simulation& all, SimulatedDevice& device) {
    if (bytes == 0) return;
    need(from);
    need_on_device(device, to, bytes);
    Copy copy{.to = pointer_at(to), .from = from, .bytes = bytes, .to_device = true};
    // Pageable memory is taken over at once, pinned memory when the copy runs.
    if (!all.pinned().holds(from, bytes)) {
      const auto* const begin = static_cast<const std::byte*>(from);
      copy.staged = std::make_shared<const std::vector<std::byte>>(begin, begin + bytes);
    }
    submit(all, device, stream, std::move(copy));
  });
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return enter_context("cuMemcpyDtoHAsync", [=](Simulation& all, SimulatedDevice& device) {
    if (bytes == 0) return;
    need(to);
    need_on_device(device, from, bytes);
    submit(all, device, stream, Copy{.to = to, .from = pointer_at(from), .bytes = bytes});
    // Into pageable memory the call returns when the bytes are there, as the driver's documentation says.
    if (!all.pinned().holds(to, bytes)) all.wait_until(device.finish(stream, all.host_seconds()));
  });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  return enter_context("cuMemsetD8Async", [=](Simulation& all, SimulatedDevice& device) {
    if (bytes == 0) return;
    need_on_device(device, to, bytes);
    submit(all, device, stream, Fill{.to = pointer_at(to), .value = value, .bytes = bytes});
  });
}
