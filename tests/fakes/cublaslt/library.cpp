// SPDX-License-Identifier: Apache-2.0
// Functions of cublasLt that are about the library itself.
#include <dlfcn.h>

#include "tests/fakes/cublaslt/entry.h"

namespace warpmark::fakes {
namespace {

template <class Function>
void find(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

const DriverFunctions& driver_functions() {
  static const DriverFunctions functions = [] {
    DriverFunctions found;
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return found;
    find(library, "cuDriverGetVersion", found.get_version);
    find(library, "cu_simulation_fault", found.fault);
    find(library, "cu_simulation_capability", found.capability);
    find(library, "cu_simulation_launch", found.launch);
    return found;
  }();
  return functions;
}

}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

// A handle is no more than a proof that the library could start.
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return enter_library("cublasLtCreate", [=] {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    const DriverFunctions& driver = driver_functions();
    int version = 0;
    int capability = 0;
    if (driver.launch == nullptr || driver.get_version(&version) != CUDA_SUCCESS ||
        version < 1000 * WARPMARK_CUBLASLT_MAJOR || driver.capability(&capability) != CUDA_SUCCESS)
      return CUBLAS_STATUS_NOT_INITIALIZED;
    static int proof = 0;
    *handle = reinterpret_cast<cublasLtHandle_t>(&proof);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return enter_library("cublasLtDestroy",
                       [=] { return handle == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS; });
}

size_t cublasLtGetVersion() { return WARPMARK_CUBLASLT_MAJOR * 10000 + 102; }

const char* cublasLtGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "CUBLAS_STATUS_UNKNOWN";
  }
}

const char* cublasLtGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE: return "an invalid value was passed";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the requested functionality is not supported";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    default: return "an internal error";
  }
}
