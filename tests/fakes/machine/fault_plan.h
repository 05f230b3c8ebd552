// SPDX-License-Identifier: Apache-2.0
// Counts calls and launches, and says which of them the scenario has go wrong.
#pragma once

#include <cuda.h>

#include <string_view>
#include <vector>

#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

class FaultPlan {
 public:
  explicit FaultPlan(const std::vector<Fault>& faults);

  /// What the call that is made now answers instead of doing anything.
  [[nodiscard]] CUresult of_call(std::string_view call);
  /// What befalls the launch that begins now; null: nothing.
  [[nodiscard]] const Fault* of_kernel(std::string_view kernel, int device);

 private:
  struct Counted {
    Fault fault{};
    int seen = 0;
    [[nodiscard]] bool is_due_now() {
      ++seen;
      return !fault.nth || seen == *fault.nth;
    }
  };
  std::vector<Counted> all_{};
};

}  // namespace warpmark::fakes
