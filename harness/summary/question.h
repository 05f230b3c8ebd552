// SPDX-License-Identifier: Apache-2.0
// What makes cases answers to one question: they differ in variant, mode and sizes only.
#pragma once

#include <string>
#include <tuple>

#include "harness/summary/summary.h"

namespace warpmark {

/// Device, benchmark, arithmetic, place (the words on its axes, and a regime other than burst) and metric.
using Question = std::tuple<std::string, std::string, std::string, std::string, std::string>;

/// Of a case that was measured.
[[nodiscard]] Question question_of(const CaseSummary& summary);

/// Whichever way the metric counts.
[[nodiscard]] bool better_than(const Figure& a, const Figure& b);

}  // namespace warpmark
