// SPDX-License-Identifier: Apache-2.0
// How simulated libraries, each a shared object of its own, reach the simulated driver: by these names, which only it
// has.
#pragma once

#include <cuda.h>

#include "tests/fakes/twins/twin.h"

extern "C" {

/// What the scenario has this call of a library answer instead of doing anything, in the library's own codes; 0:
/// nothing.
int cu_simulation_fault(const char* call);

/// What the product has of this driver and has not given back: allocations, pinned and of devices, streams, events,
/// holds of contexts.
size_t cu_simulation_live_objects();

/// How many of the scenario's faults have befallen something in this process.
size_t cu_simulation_faults_happened();

/// 90 where the device of the calling thread's context has compute capability 9.0.
CUresult cu_simulation_capability(int* capability);

/// Queues a launch of one thread. The twin has to last as long as the process does.
CUresult cu_simulation_launch(CUstream stream, const warpmark::fakes::Twin* twin, const void* parameters);
}
