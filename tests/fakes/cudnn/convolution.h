// SPDX-License-Identifier: Apache-2.0
// A convolution as the simulated cuDNN runs it: on the CPU, and with the time that the device's unit would take.
#pragma once

#include <cudnn.h>

#include <cstdint>

#include "kernels/convolution/convolution.h"
#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {

/// Arrays lie channels last.
struct SimulatedConvolution {
  ops::Convolution op{};
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::uint32_t by_matrix_unit = 0;  // of f32: operands are cut off to tf32
  std::uint32_t is_coarse = 0;       // sums are rounded to f16 on the way
  double speed = 1;                  // of what the unit's kernels reach, by the engine
};

/// What the driver runs.
[[nodiscard]] const Twin& convolution_twin();

}  // namespace warpmark::fakes
