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

/// `tokens` of a case times the weights of a layer (transformer.h), which lie as k x n.
[[nodiscard]] GemmShape layer_shape(const Case& at);

/// 2 m n k FLOP a product, each matrix moved once. Operations on int8 stand there too; their rate is in OP/s.
[[nodiscard]] Work gemm_work(const GemmShape& shape, DType dtype);

[[nodiscard]] Job gemm_job(Setup& setup, const GemmShape& shape);

/// Columns that one vector of the check covers: of all, the rounding of narrow results or of coarse sums would hide a
/// wrong element.
[[nodiscard]] std::size_t gemm_columns_checked(const GemmShape& shape, DType dtype, const Rounding& rounding);

/// How far rounding may take a row of C times a vector of signs. Operands are uniform in [-1, 1), so an element of C is
/// sqrt(k) / 3 large.
/// f64, f32: summed one product after the other it is off by about 0.07 epsilon k, and the row by sqrt(columns) times
/// that. Fifteen times as much is allowed: 0.04 % of one element of C at n = 1024.
/// bf16, f16, and e4m3 whose results are bf16: sums are kept in f32 and rounded once at the end, off by 0.07 epsilon
/// sqrt(k), the row by sqrt(columns) times that. Seven times as much is allowed.
/// Operands that are rounded before they are multiplied (tf32), at worst cut off: every product is short by 0.7 epsilon
/// on average, and so is C, 0.24 epsilon sqrt(k) of an element; the row is off by 0.27 epsilon sqrt(k columns). Seven
/// times as much is allowed: 10 % of one element at n = 1024.
/// Sums that are rounded at every step (f16): as f64 and f32, off by 0.07 epsilon k. Seven times as much is allowed,
/// over few columns: 19 % of one element at n = 1024, 37 % at 4096.
/// int8: sums are exact.
[[nodiscard]] double gemm_allowed_error(const GemmShape& shape, DType dtype, const Rounding& rounding);

/// The unit that the kernel names; else that of the type, where the device states it.
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
