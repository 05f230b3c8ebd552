// SPDX-License-Identifier: Apache-2.0
// Products on the matrix unit by its own instruction. Sums are f32, rounded once.
#include "embedded/gemm_mma_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "kernels/gemm/bind_gemm_cuda.h"

namespace warpmark::cuda {
namespace {

template <DType dtype>
Bound bind(Stream& stream, const ops::Gemm& op) {
  static const DeviceCode code(embedded::gemm_mma_cuda_code());
  return bind_gemm(code, dtype == DType::f16 ? "gemm_mma_f16" : "gemm_mma_bf16", stream, op, gemm_mma_tile);
}

/// Asked of devices of this backend only.
std::string unsupported(const Device& device, const Case&) {
  return lacks_capability(static_cast<const CudaDevice&>(device).chip(), "mma.m16n8k16 needs", 80);
}

const Implements<ops::Gemm> f16{
    {.id = {"cuda", "mma", DType::f16}, .bind = bind<DType::f16>, .unsupported = unsupported, .unit = "f16_matrix"}};
const Implements<ops::Gemm> bf16{
    {.id = {"cuda", "mma", DType::bf16}, .bind = bind<DType::bf16>, .unsupported = unsupported, .unit = "bf16_matrix"}};

}  // namespace
}  // namespace warpmark::cuda
