// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory, multiply-adds in registers.
#include "embedded/gemm_tiled_cuda_code.h"
#include "kernels/gemm/bind_gemm_cuda.h"

namespace warpmark::cuda {
namespace {

template <DType dtype>
Bound bind(Stream& stream, const ops::Gemm& op) {
  static const DeviceCode code(embedded::gemm_tiled_cuda_code());
  return bind_gemm(code, dtype == DType::f64 ? "gemm_tiled_f64" : "gemm_tiled_f32", stream, op, gemm_tiled_tile);
}

const Implements<ops::Gemm> f64{{.id = {"cuda", "tiled", DType::f64}, .bind = bind<DType::f64>, .unit = "f64_matrix"}};
const Implements<ops::Gemm> f32{{.id = {"cuda", "tiled", DType::f32}, .bind = bind<DType::f32>, .unit = "f32_fma"}};

}  // namespace
}  // namespace warpmark::cuda
