// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/driver/library_work.h"

#include "tests/fakes/driver/entry.h"

using namespace warpmark::fakes;  // the functions themselves are C's

int cu_simulation_fault(const char* call) {
  CUresult code = CUDA_SUCCESS;
  const CUresult entered = enter("cu_simulation_fault", [&](Simulation& all) { code = all.faults().of_call(call); });
  return entered == CUDA_SUCCESS ? code : CUDA_SUCCESS;  // before the driver starts, nothing is counted
}

size_t cu_simulation_live_objects() {
  std::size_t count = 0;
  (void)enter("cu_simulation_live_objects", [&](Simulation& all) {
    count = all.pinned().count() + all.graphs().count() + all.host_ranges().count(HostKind::registered);
    for (int i = 0; i < all.device_count(); ++i) count += all.device(i).live_objects();
  });
  return count;
}

size_t cu_simulation_faults_happened() {
  std::size_t count = 0;
  (void)enter("cu_simulation_faults_happened", [&](Simulation& all) { count = all.faults().happened(); });
  return count;
}

CUresult cu_simulation_capability(int* capability) {
  return enter_context("cu_simulation_capability", [=](Simulation&, SimulatedDevice& device) {
    need(capability);
    *capability = 10 * device.truth().major + device.truth().minor;
  });
}

CUresult cu_simulation_launch(CUstream stream, const Twin* twin, const void* parameters) {
  return enter_context("cu_simulation_launch", [=](Simulation& all, SimulatedDevice& device) {
    need(twin, parameters);
    const auto* const begin = static_cast<const std::byte*>(parameters);
    Launch launch{
        .twin = twin, .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = {begin, begin + twin->parameter_bytes}};
    all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = std::move(launch)}));
  });
}
