// SPDX-License-Identifier: Apache-2.0
// Multiply-adds on a GPU: every SM is given the same, in blocks that fill it several times over.
#include "kernels/compute/fma_cuda.h"

#include <fmt/format.h>

#include "embedded/fma_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/kernel.h"
#include "kernels/compute/fma.h"

namespace warpmark::cuda {
namespace {

template <DType dtype>
Bound bind(Stream& stream, const ops::Fma& op) {
  static const DeviceCode code(embedded::fma_cuda_code());
  const std::string name = fmt::format("compute_fma_{}", warpmark::name_of(dtype));
  const LoadedKernel kernel = code.kernel(cuda_stream(stream).cuda_device(), name.c_str());
  constexpr std::size_t of_block = std::size_t{fma_block_threads} * fma_chains * fma_lanes(dtype);
  const Grid grid{.blocks = static_cast<unsigned>((op.n + of_block - 1) / of_block), .threads = fma_block_threads};
  return {.launch = [kernel, grid, op](Stream& s) { cuda_stream(s).launch(kernel, grid, op); },
          .about = {{"chains", fma_chains},
                    {"packed", fma_lanes(dtype)},
                    {"block_threads", fma_block_threads},
                    {"jit", kernel.jit}}};
}

/// Asked of devices of this backend only.
std::string without_bf16(const Device& device, const Case&) {
  return lacks_capability(static_cast<const CudaDevice&>(device).chip(), "bf16 needs", 80);
}

const Implements<ops::Fma> f64{{.id = {"cuda", "fma", DType::f64}, .bind = bind<DType::f64>, .unit = "f64_fma"}};
const Implements<ops::Fma> f32{{.id = {"cuda", "fma", DType::f32}, .bind = bind<DType::f32>, .unit = "f32_fma"}};
const Implements<ops::Fma> f16{{.id = {"cuda", "fma", DType::f16}, .bind = bind<DType::f16>, .unit = "f16_fma"}};
const Implements<ops::Fma> bf16{
    {.id = {"cuda", "fma", DType::bf16}, .bind = bind<DType::bf16>, .unsupported = without_bf16, .unit = "bf16_fma"}};
const Implements<ops::Fma> i32{{.id = {"cuda", "fma", DType::i32}, .bind = bind<DType::i32>, .unit = "i32_mad"}};

}  // namespace
}  // namespace warpmark::cuda
