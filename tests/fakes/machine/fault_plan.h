// SPDX-License-Identifier: Apache-2.0
// Counts calls and launches, and says which of them the scenario has go wrong.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

class FaultPlan {
 public:
  /// `memory` is the beginning of the names of files that later processes find lost devices by; empty: none do.
  FaultPlan(const std::vector<Fault>& faults, std::string memory);

  /// What the call that is made now, for that device where it is for one, answers instead of doing anything. Throws
  /// Hang, and may end the process.
  [[nodiscard]] CUresult of_call(std::string_view call, std::optional<int> device = std::nullopt);
  /// What befalls the launch that begins now; null: nothing.
  [[nodiscard]] const Fault* of_kernel(std::string_view kernel, int device);
  /// How many of the faults have befallen something, those without `nth` too.
  [[nodiscard]] std::size_t happened() const;
  /// Whether the driver has no such function.
  [[nodiscard]] bool is_absent(std::string_view call) const;

  /// The device fell off the bus.
  void lose(int device);
  [[nodiscard]] bool is_lost(int device) const;

 private:
  struct Counted {
    Fault fault{};
    int seen = 0;
    [[nodiscard]] bool is_due_now() {
      ++seen;
      return !fault.nth || seen == *fault.nth;
    }
  };
  [[nodiscard]] std::string file_of(int device) const;

  std::vector<Counted> all_{};
  std::string memory_;
  std::set<int> lost_{};
};

}  // namespace warpmark::fakes
