// SPDX-License-Identifier: Apache-2.0
// In words: what the driver's codes mean for who reads them, and what to do about it.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::cuda {

/// The oldest driver that can be used: R525, which serves CUDA 12.0.
inline constexpr int least_driver_version = 12000;

/// What a code of cuInit or cuDeviceGetCount means and what to do next, in a sentence of two clauses.
[[nodiscard]] std::string startup_problem(int code);

/// What to do about a call that failed with the code while something was measured.
[[nodiscard]] std::string_view next_step(int code);

/// Of a driver that serves CUDA `version` at most.
[[nodiscard]] std::string too_old(int version);

}  // namespace warpmark::cuda
