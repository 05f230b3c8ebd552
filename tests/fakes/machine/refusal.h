// SPDX-License-Identifier: Apache-2.0
// How the simulation leaves a call that goes wrong: with the driver's code, or never.
#pragma once

#include <cuda.h>

#include <array>

namespace warpmark::fakes {

struct Refusal {
  CUresult code = CUDA_ERROR_UNKNOWN;
};

/// Of a call that waits for a kernel that never ends.
struct Hang {};

/// Whether every later call in the context fails with it too.
[[nodiscard]] constexpr bool is_sticky(CUresult code) {
  constexpr std::array all{CUDA_ERROR_ECC_UNCORRECTABLE,
                           CUDA_ERROR_NVLINK_UNCORRECTABLE,
                           CUDA_ERROR_ILLEGAL_ADDRESS,
                           CUDA_ERROR_LAUNCH_TIMEOUT,
                           CUDA_ERROR_ASSERT,
                           CUDA_ERROR_HARDWARE_STACK_ERROR,
                           CUDA_ERROR_ILLEGAL_INSTRUCTION,
                           CUDA_ERROR_MISALIGNED_ADDRESS,
                           CUDA_ERROR_INVALID_ADDRESS_SPACE,
                           CUDA_ERROR_INVALID_PC,
                           CUDA_ERROR_LAUNCH_FAILED,
                           CUDA_ERROR_UNKNOWN};
  for (const CUresult each : all)
    if (each == code) return true;
  return false;
}

}  // namespace warpmark::fakes
