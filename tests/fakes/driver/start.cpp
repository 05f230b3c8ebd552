// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: starting it, finding its other functions, the names of its errors.
#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "harness/backends/cuda/driver.h"
#include "tests/fakes/driver/entry.h"
#include "tests/fakes/driver/library_work.h"

namespace warpmark::fakes {
namespace {

struct Function {
  std::string_view name{};
  int since = 0;
  void* address = nullptr;
};

// The compiler holds each function against NVIDIA's own type for it. What the product's list asks for and this driver
// has not does not link.
#define WARPMARK_FUNCTION(name, version) \
  Function{"cu" #name, version, reinterpret_cast<void*>(static_cast<PFN_cu##name##_v##version>(&cu##name))},
const std::array functions{WARPMARK_DRIVER_FUNCTIONS(WARPMARK_FUNCTION) WARPMARK_FUNCTION(Init, 2000)
                               WARPMARK_FUNCTION(DriverGetVersion, 2020) WARPMARK_FUNCTION(GetProcAddress, 12000)};
#undef WARPMARK_FUNCTION

struct ErrorText {
  CUresult code = CUDA_SUCCESS;
  const char* name = "";
  const char* text = "";
};

#define WARPMARK_ERROR(code, text) \
  ErrorText { code, #code, text }
constexpr std::array errors{
    WARPMARK_ERROR(CUDA_SUCCESS, "no error"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    WARPMARK_ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    WARPMARK_ERROR(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    WARPMARK_ERROR(CUDA_ERROR_STUB_LIBRARY, "CUDA driver is a stub library"),
    WARPMARK_ERROR(CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable"),
    WARPMARK_ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    WARPMARK_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    WARPMARK_ERROR(CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    WARPMARK_ERROR(CUDA_ERROR_NVLINK_UNCORRECTABLE, "uncorrectable NVLink error detected during the execution"),
    WARPMARK_ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain."),
    WARPMARK_ERROR(CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
    WARPMARK_ERROR(CUDA_ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    WARPMARK_ERROR(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    WARPMARK_ERROR(CUDA_ERROR_NOT_READY, "device not ready"),
    WARPMARK_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    WARPMARK_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    WARPMARK_ERROR(CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    WARPMARK_ERROR(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    WARPMARK_ERROR(CUDA_ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    WARPMARK_ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    WARPMARK_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space"),
    WARPMARK_ERROR(CUDA_ERROR_INVALID_PC, "invalid program counter"),
    WARPMARK_ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    WARPMARK_ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                   "part or all of the requested memory range is already mapped"),
    WARPMARK_ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region"),
    WARPMARK_ERROR(CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    WARPMARK_ERROR(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    WARPMARK_ERROR(CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized"),
    WARPMARK_ERROR(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                   "system has unsupported display driver / cuda driver combination"),
    WARPMARK_ERROR(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                   "forward compatibility was attempted on non supported HW"),
    WARPMARK_ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef WARPMARK_ERROR

CUresult text_of(const char* call, CUresult code, const char** to, const char* ErrorText::*which) {
  if (const int fault = cu_simulation_fault(call); fault != 0) return static_cast<CUresult>(fault);
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto* const found =
      std::find_if(errors.begin(), errors.end(), [code](const ErrorText& e) { return e.code == code; });
  *to = found == errors.end() ? nullptr : found->*which;
  return found == errors.end() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/// Whether the scenario's driver lacks it; without a scenario none is missing.
bool is_absent(std::string_view symbol) {
  try {
    return FaultPlan(scenario().faults, {}).is_absent(symbol);
  } catch (const Refusal&) {
    return false;
  }
}

/// Of the functions that need no running simulation.
template <class Body>
CUresult enter_early(const Body& body) {
  const std::scoped_lock lock(entry_lock());
  try {
    body();
    return CUDA_SUCCESS;
  } catch (const Refusal& refusal) {
    return refusal.code;
  } catch (const Hang&) {
    hang();
  }
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuInit(unsigned int flags) {
  return enter_early([flags] {
    if (flags != 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    start_simulation();
  });
}

CUresult cuDriverGetVersion(int* version) {
  return enter_early([version] {
    need(version);
    *version = scenario().driver_version;
  });
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t /*flags*/,
                          CUdriverProcAddressQueryResult* how) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = nullptr;
  CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const auto& each : functions) {
    if (each.name != symbol || is_absent(symbol)) continue;
    result = each.since <= version ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    if (each.since <= version) *function = each.address;
  }
  if (how != nullptr) *how = result;
  return result == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetErrorName(CUresult code, const char** name) {
  return text_of("cuGetErrorName", code, name, &ErrorText::name);
}

CUresult cuGetErrorString(CUresult code, const char** text) {
  return text_of("cuGetErrorString", code, text, &ErrorText::text);
}
