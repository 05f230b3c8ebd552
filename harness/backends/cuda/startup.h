// SPDX-License-Identifier: Apache-2.0
// In words: what the driver says when it does not start, and what to do about it.
#pragma once

#include <string>

namespace warpmark::cuda {

/// The oldest driver that can be used: R525, which serves CUDA 12.0.
inline constexpr int least_driver_version = 12000;

/// What a code of cuInit or cuDeviceGetCount means and what to do next, in a sentence of two clauses.
[[nodiscard]] std::string startup_problem(int code);

/// Of a driver that serves CUDA `version` at most.
[[nodiscard]] std::string too_old(int version);

}  // namespace warpmark::cuda
