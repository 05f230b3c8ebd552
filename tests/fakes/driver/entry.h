// SPDX-License-Identifier: Apache-2.0
// What every function of the simulated driver does first: it takes the lock, the host's time, and the fault that the
// scenario may have for it.
#pragma once

#include <cuda.h>
#include <unistd.h>

#include <mutex>
#include <new>
#include <string_view>

#include "tests/fakes/machine/refusal.h"
#include "tests/fakes/machine/simulation.h"

namespace warpmark::fakes {

/// Begins anew with another scenario, as if in another process; cuInit has to be called again. For tests that have the
/// simulation in themselves.
void restart(Scenario scenario);

/// The machine, once cuInit has been called. Throws Refusal before.
[[nodiscard]] Simulation& simulation();
/// Reads SIMULATED_MACHINE where nobody has done so before. Throws Refusal, with a line on stderr, where it cannot be
/// used.
[[nodiscard]] const Scenario& scenario();
void start_simulation();

/// The device of the calling thread's context. Throws Refusal where there is none, or it is lost.
[[nodiscard]] SimulatedDevice& current_device();
void set_current_context(CUcontext context);
/// From now on every call in the thread's context answers with the code. Nothing where there is no context.
void lose_current_device(CUresult code);

[[nodiscard]] std::mutex& entry_lock();
/// Sleeps for ever.
[[noreturn]] void hang();

/// Runs the body of a function of the driver under the lock; what it throws becomes the function's code.
template <class Body>
CUresult enter(std::string_view name, const Body& body) {
  try {
    const std::scoped_lock lock(entry_lock());
    Simulation& all = simulation();
    all.spend_on_call();
    if (const CUresult code = all.faults().of_call(name); code != CUDA_SUCCESS) {
      if (is_sticky(code)) lose_current_device(code);
      return code;
    }
    body(all);
    return CUDA_SUCCESS;
  } catch (const Refusal& refusal) {
    return refusal.code;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const Hang&) {
    hang();  // without the lock: other threads go on
  }
}

/// The same, of a function that needs a context.
template <class Body>
CUresult enter_context(std::string_view name, const Body& body) {
  return enter(name, [&](Simulation& all) { body(all, current_device()); });
}

/// Throws Refusal where one of them is null.
template <class... Pointers>
void need(const Pointers*... pointers) {
  for (const void* const pointer : {static_cast<const void*>(pointers)...})
    if (pointer == nullptr) throw Refusal{CUDA_ERROR_INVALID_VALUE};
}

}  // namespace warpmark::fakes
