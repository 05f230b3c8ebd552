// SPDX-License-Identifier: Apache-2.0
// What the gemm benchmarks share: a shape's work, operands, check and ceiling.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/benchmark.h"
#include "harness/measure/setup.h"
#include "kernels/gemm/gemm.h"

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

/// A benchmark of the products that the axes span; `shape_of` reads a case's shape from them.
template <GemmShape (*shape_of)(const Case&)>
[[nodiscard]] Benchmark gemm_benchmark(const std::string& name, const std::string& about, const std::vector<Axis>& axes,
                                       const std::vector<Mode>& modes) {
  return {.name = name,
          .about = about,
          .axes = axes,
          .modes = modes,
          .kernels = table_of<ops::Gemm>(),
          .rate = flop_rate,
          .probed = true,
          .work = [](const Case& at, const DeviceInfo&) { return gemm_work(shape_of(at), at.kernel.dtype); },
          .ceiling = gemm_ceiling,
          .job = [](Setup& setup) { return gemm_job(setup, shape_of(setup.at())); }};
}

}  // namespace warpmark
