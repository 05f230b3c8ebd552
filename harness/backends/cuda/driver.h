// SPDX-License-Identifier: Apache-2.0
// The CUDA driver, opened at need: nothing here is linked. Every function that the program uses is in one list, with
// NVIDIA's own prototypes at the level of CUDA 12.0, so that a newer header asks an older driver for nothing new.
#pragma once

#include <cudaTypedefs.h>

#include <string>
#include <string_view>

// Name without "cu", and the CUDA version that gave it the prototype we use.
#define WARPMARK_DRIVER_FUNCTIONS(X)  \
  X(GetErrorName, 6000)               \
  X(GetErrorString, 6000)             \
  X(DeviceGetCount, 2000)             \
  X(DeviceGet, 2000)                  \
  X(DeviceGetName, 2000)              \
  X(DeviceGetUuid, 11040)             \
  X(DeviceGetAttribute, 2000)         \
  X(DeviceTotalMem, 3020)             \
  X(DeviceGetPCIBusId, 4010)          \
  X(DevicePrimaryCtxSetFlags, 11000)  \
  X(DevicePrimaryCtxRetain, 7000)     \
  X(DevicePrimaryCtxRelease, 11000)   \
  X(CtxSetCurrent, 4000)              \
  X(MemAlloc, 3020)                   \
  X(MemFree, 3020)                    \
  X(MemGetInfo, 3020)                 \
  X(MemHostAlloc, 2020)               \
  X(MemFreeHost, 2000)                \
  X(MemHostGetDevicePointer, 3020)    \
  X(MemHostRegister, 6050)            \
  X(MemHostUnregister, 4000)          \
  X(MemcpyHtoDAsync, 3020)            \
  X(MemcpyDtoHAsync, 3020)            \
  X(MemsetD8Async, 3020)              \
  X(StreamCreate, 2000)               \
  X(StreamDestroy, 4000)              \
  X(StreamSynchronize, 2000)          \
  X(StreamWaitEvent, 3020)            \
  X(EventCreate, 2000)                \
  X(EventDestroy, 4000)               \
  X(EventRecord, 2000)                \
  X(EventElapsedTime, 2000)           \
  X(LibraryLoadData, 12000)           \
  X(LibraryGetKernel, 12000)          \
  X(KernelGetFunction, 12000)         \
  X(LaunchKernel, 4000)               \
  X(GraphCreate, 10000)               \
  X(GraphAddKernelNode, 12000)        \
  X(GraphInstantiateWithFlags, 11040) \
  X(GraphUpload, 11010)               \
  X(GraphLaunch, 10000)               \
  X(GraphExecDestroy, 10000)          \
  X(GraphDestroy, 10000)

namespace warpmark::cuda {

struct Driver {
#define WARPMARK_DECLARE(name, since) PFN_cu##name##_v##since name = nullptr;
  WARPMARK_DRIVER_FUNCTIONS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
  int version = 0;     // highest CUDA version it can serve: 12040 for 12.4
  std::string path{};  // the file that was loaded
};

/// What opening the driver came to: a table, or why there is none.
struct Opened {
  Driver driver{};
  std::string problem{};  // what happened and what to do; empty: the driver can be used
  bool present = false;   // the library is there: where it then does not work, something is broken
};

/// Opens and starts the driver, once in a process. cuInit takes seconds on a machine with many GPUs.
[[nodiscard]] const Opened& open_driver();

/// The functions of a driver that works. Throws Error with the problem of one that does not.
[[nodiscard]] const Driver& driver();

/// Throws for any code but success: Skipped when a call that takes memory got none, PermissionDenied when the system
/// forbids, DeviceLost when nothing in this process can use the device any more, else Error. The text names the code,
/// the call and `what` it was about.
void check(CUresult code, std::string_view call, std::string_view what = {});

/// Whether the code is one after which every call in this process fails with the same one.
[[nodiscard]] bool is_lasting(CUresult code);

/// "12.4" of 12040.
[[nodiscard]] std::string version_text(int version);

}  // namespace warpmark::cuda
