// SPDX-License-Identifier: Apache-2.0
// What every function of the simulated NVML does first: it takes the lock and the fault that the scenario may have for
// it, and sees whether the library is started, the handle somebody's, and the card one that supports it.
#pragma once

#include <mutex>

#include "harness/telemetry/nvml/abi.h"
#include "tests/fakes/machine/refusal.h"
#include "tests/fakes/nvml/cards.h"

namespace warpmark::fakes {

[[nodiscard]] std::mutex& nvml_lock();
/// The machine that the library was started on; before that, the one that SIMULATED_MACHINE names. Throws NvmlRefusal,
/// with a line on stderr, where it cannot be used.
[[nodiscard]] Cards& simulated_cards();
/// The same, of a library that was started. Throws NvmlRefusal where it was not.
[[nodiscard]] Cards& started_cards();
void start_nvml();
void shut_nvml_down();

/// Whether the scenario's driver lacks the function: by a fault, or because it is older.
[[nodiscard]] bool lacks_function(const char* call);

/// Throws NvmlRefusal or Hang where the call cannot be answered.
void check_call(Cards& cards, const char* call);
void check_call(Cards& cards, const char* call, nvml::Device device);
[[noreturn]] void hang_for_ever();

/// Runs the body of a function under the lock; what it throws becomes the code.
template <class Body>
nvml::Return enter_nvml(const Body& body) {
  try {
    const std::scoped_lock lock(nvml_lock());
    body();
    return nvml::success;
  } catch (const NvmlRefusal& refusal) {
    return refusal.code;
  } catch (const Hang&) {
    hang_for_ever();  // without the lock: other threads go on
  }
}

}  // namespace warpmark::fakes
