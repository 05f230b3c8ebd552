// SPDX-License-Identifier: Apache-2.0
// What the gemm benchmarks share: a shape's work, operands, check and ceiling.
#pragma once

#include <cstddef>

#include "harness/core/benchmark.h"

namespace warpmark {

/// C[m x n] = A[m x k] B[k x n], `batch` times.
struct GemmShape {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t batch = 1;
};

/// 2 m n k FLOP a product, each matrix moved once. Operations on int8 count as FLOP too.
[[nodiscard]] Work gemm_work(const GemmShape& shape, DType dtype);

[[nodiscard]] Job gemm_job(Setup& setup, const GemmShape& shape);

/// The unit that multiplies the case's type.
[[nodiscard]] CeilingRule gemm_ceiling(const Case& at, const DeviceInfo& device);

}  // namespace warpmark
