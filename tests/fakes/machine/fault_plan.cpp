// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/fault_plan.h"

namespace warpmark::fakes {

FaultPlan::FaultPlan(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) all_.push_back({.fault = fault});
}

CUresult FaultPlan::of_call(std::string_view call) {
  CUresult code = CUDA_SUCCESS;
  for (Counted& c : all_)
    if (c.fault.call == call && c.is_due_now() && code == CUDA_SUCCESS) code = static_cast<CUresult>(c.fault.code);
  return code;
}

const Fault* FaultPlan::of_kernel(std::string_view kernel, int device) {
  const Fault* found = nullptr;
  for (Counted& c : all_)
    if (c.fault.kernel == kernel && c.fault.device.value_or(device) == device && c.is_due_now() && found == nullptr)
      found = &c.fault;
  return found;
}

}  // namespace warpmark::fakes
