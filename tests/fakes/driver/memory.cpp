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

void submit(Simulation& all, SimulatedDevice& device, CUstream stream, decltype(Operation::what) what) {
  all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = std::move(what)}));
}

/// What the scenario states of copies of that kind.
const std::optional<CopyTruth>& copy_truth(const SimulatedDevice& device, HostKind kind) {
  return device.truth().host_memory.copies.at(static_cast<std::size_t>(kind));
}

/// The driver copies pageable memory by the host, piece by piece: the device's clock sees the last tenth, which is what
/// this returns. Where the scenario does not state such copies, the device has all of it, as of any other.
std::optional<CopyTruth> after_staging(Simulation& all, SimulatedDevice& device, CUstream stream, std::size_t bytes) {
  constexpr double of_device = 0.1;
  const std::optional<CopyTruth>& whole = copy_truth(device, HostKind::pageable);
  if (!whole) return whole;
  all.wait_until(device.finish(stream, all.host_seconds()));
  all.spend((1 - of_device) * whole->seconds_of(bytes));
  return CopyTruth{.latency_seconds = of_device * whole->latency_seconds, .bandwidth = whole->bandwidth / of_device};
}

/// Of making memory of that kind, or telling the driver to pin it.
void spend_on_making(Simulation& all, const SimulatedDevice& device, HostKind kind, std::size_t bytes) {
  if (const auto& stated = device.truth().host_memory.making.at(static_cast<std::size_t>(kind)))
    all.spend(stated->seconds_of(bytes));
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

CUresult cuMemHostAlloc(void** data, std::size_t bytes, unsigned int flags) {
  return enter_context("cuMemHostAlloc", [=](Simulation& all, SimulatedDevice& device) {
    need(data);
    if (bytes == 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *data = all.pinned().allocate(bytes);
    const HostKind kind = (flags & CU_MEMHOSTALLOC_WRITECOMBINED) != 0 ? HostKind::write_combined : HostKind::pinned;
    all.host_ranges().enter(*data, bytes, kind);
    spend_on_making(all, device, kind, bytes);
  });
}

CUresult cuMemFreeHost(void* data) {
  return enter_context("cuMemFreeHost", [=](Simulation& all, SimulatedDevice&) {
    for (int i = 0; i < all.device_count(); ++i) all.device(i).finish_all(all.host_seconds());
    all.host_ranges().forget(data);
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

CUresult cuMemHostRegister(void* data, std::size_t bytes, unsigned int /*flags*/) {
  return enter_context("cuMemHostRegister", [=](Simulation& all, SimulatedDevice& device) {
    need(data);
    if (bytes == 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    if (all.host_ranges().kind_of(data, 1) != HostKind::pageable)
      throw Refusal{CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED};
    all.host_ranges().enter(data, bytes, HostKind::registered);
    spend_on_making(all, device, HostKind::registered, bytes);
  });
}

CUresult cuMemHostUnregister(void* data) {
  return enter_context("cuMemHostUnregister", [=](Simulation& all, SimulatedDevice&) {
    for (int i = 0; i < all.device_count(); ++i) all.device(i).finish_all(all.host_seconds());
    if (!all.host_ranges().leave(data, HostKind::registered)) throw Refusal{CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED};
  });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return enter_context("cuMemcpyHtoDAsync", [=](Simulation& all, SimulatedDevice& device) {
    if (bytes == 0) return;
    need(from);
    need_on_device(device, to, bytes);
    Copy copy{.to = pointer_at(to), .from = from, .bytes = bytes, .to_device = true};
    const HostKind kind = all.host_ranges().kind_of(from, bytes);
    // Pageable memory is taken over at once, pinned memory when the copy runs.
    if (kind != HostKind::pageable) {
      copy.truth = copy_truth(device, kind);
    } else {
      copy.truth = after_staging(all, device, stream, bytes);
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
    const HostKind kind = all.host_ranges().kind_of(to, bytes);
    const bool is_pageable = kind == HostKind::pageable;
    submit(all, device, stream,
           Copy{.to = to,
                .from = pointer_at(from),
                .bytes = bytes,
                .truth = is_pageable ? after_staging(all, device, stream, bytes) : copy_truth(device, kind)});
    // Into pageable memory the call returns when the bytes are there, as the driver's documentation says.
    if (is_pageable) all.wait_until(device.finish(stream, all.host_seconds()));
  });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  return enter_context("cuMemsetD8Async", [=](Simulation& all, SimulatedDevice& device) {
    if (bytes == 0) return;
    need_on_device(device, to, bytes);
    submit(all, device, stream, Fill{.to = pointer_at(to), .value = value, .bytes = bytes});
  });
}
