// SPDX-License-Identifier: Apache-2.0
// A product as the simulated cublasLt runs it: on the CPU, and with the time that the device's unit would take.
#pragma once

#include <cuda.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {

/// How products are formed and added up.
enum class Arithmetic : std::uint32_t { f64, f32, tf32, f16_sums, f32_sums, int32 };

/// Column-major matrices, one after the other. D[m x n] = op(A) B.
struct Product {
  const void* a = nullptr;
  const void* b = nullptr;
  void* d = nullptr;
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t batch = 1;
  cudaDataType_t operands = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
  Arithmetic arithmetic = Arithmetic::f32;
  std::uint32_t is_a_transposed = 0;  // A[k x m]
  double speed = 1;                   // of what the unit's kernels reach, by the algorithm
};

/// 0 for a type that no product here has.
[[nodiscard]] std::size_t bytes_of(cudaDataType_t type);

/// What the driver runs.
[[nodiscard]] const Twin& product_twin();

}  // namespace warpmark::fakes
