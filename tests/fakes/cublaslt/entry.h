// SPDX-License-Identifier: Apache-2.0
// What every function of the simulated cublasLt does first, and the way to the simulated driver.
#pragma once

#include <cublasLt.h>
#include <cuda.h>

#include "tests/fakes/driver/library_work.h"

namespace warpmark::fakes {

/// Functions of the driver that this library uses; null where there is no simulated driver in the process.
struct DriverFunctions {
  decltype(&cuDriverGetVersion) get_version = nullptr;
  decltype(&cu_simulation_fault) fault = nullptr;
  decltype(&cu_simulation_capability) capability = nullptr;
  decltype(&cu_simulation_launch) launch = nullptr;
};
[[nodiscard]] const DriverFunctions& driver_functions();

/// Runs the body of a function, unless the scenario has it fail.
template <class Body>
cublasStatus_t enter_library(const char* name, const Body& body) {
  const DriverFunctions& driver = driver_functions();
  const int fault = driver.fault == nullptr ? 0 : driver.fault(name);
  return fault != 0 ? static_cast<cublasStatus_t>(fault) : body();
}

}  // namespace warpmark::fakes
