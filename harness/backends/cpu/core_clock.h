// SPDX-License-Identifier: Apache-2.0
// The clock that the core runs at, from outside of it: virtual machines hide the counters.
#pragma once

#include <optional>

namespace warpmark::cpu {

/// Hz of the calling thread's core over a few microseconds, from a chain of multiplications whose latency is known
/// (64-bit imul: 3 cycles on Intel since Nehalem and on AMD since Zen, uops.info). Empty on other architectures.
[[nodiscard]] std::optional<double> core_clock_hz();

}  // namespace warpmark::cpu
