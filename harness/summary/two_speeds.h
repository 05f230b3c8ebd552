// SPDX-License-Identifier: Apache-2.0
// Says of a case that it ran at two speeds, where a spread would hide that.
#pragma once

#include <optional>
#include <string>

#include "harness/summary/summary.h"

namespace warpmark {

struct TwoSpeeds {
  std::string sentence{};        // "two speeds: 2.31 TFLOP/s in 37 % of the samples, ..."
  bool explains_spread = false;  // of the repeats; else it is about the samples of one
  bool from_outside = false;     // other programs or guests had so much of the CPUs that they explain it
};

/// Empty where one speed explains the samples and the repeats.
[[nodiscard]] std::optional<TwoSpeeds> two_speeds(const CaseSummary& summary);

}  // namespace warpmark
