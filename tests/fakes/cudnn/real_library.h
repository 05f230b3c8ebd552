// SPDX-License-Identifier: Apache-2.0
// The real cuDNN behind the simulated one, opened by its file; and the way to the simulated driver.
#pragma once

#include <cuda.h>
#include <cudnn.h>

#include "tests/fakes/driver/library_work.h"

namespace warpmark::fakes {

struct RealCudnn {
  decltype(&cudnnGetVersion) get_version = nullptr;
  decltype(&cudnnGetCudartVersion) get_cudart_version = nullptr;
  decltype(&cudnnGetErrorString) get_error_string = nullptr;
  decltype(&cudnnGetLastErrorString) get_last_error_string = nullptr;
  decltype(&cudnnBackendCreateDescriptor) create = nullptr;
  decltype(&cudnnBackendDestroyDescriptor) destroy = nullptr;
  decltype(&cudnnBackendFinalize) finalize = nullptr;
  decltype(&cudnnBackendSetAttribute) set = nullptr;
  decltype(&cudnnBackendGetAttribute) get = nullptr;
};
[[nodiscard]] const RealCudnn& real_cudnn();

/// Null where there is no simulated driver in the process.
struct CudnnDriver {
  decltype(&cu_simulation_fault) fault = nullptr;
  decltype(&cu_simulation_capability) capability = nullptr;
  decltype(&cu_simulation_launch) launch = nullptr;
};
[[nodiscard]] const CudnnDriver& cudnn_driver();

/// Runs the body of a function, unless the scenario has it fail.
template <class Body>
cudnnStatus_t enter_cudnn(const char* name, const Body& body) {
  const CudnnDriver& driver = cudnn_driver();
  const int fault = driver.fault == nullptr ? 0 : driver.fault(name);
  return fault != 0 ? static_cast<cudnnStatus_t>(fault) : body();
}

/// A descriptor of the device of the calling thread's context, for heuristics and plans without a GPU (properties.cpp).
/// Null where the chip is not known.
[[nodiscard]] cudnnBackendDescriptor_t device_properties();

}  // namespace warpmark::fakes
