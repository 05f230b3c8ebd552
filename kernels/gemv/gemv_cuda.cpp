// SPDX-License-Identifier: Apache-2.0
// The gemv kernels of the cuda backend, one for each kind of weights.
#include <fmt/format.h>

#include <string_view>

#include "embedded/gemv_cuda_code.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/kernel.h"
#include "kernels/gemv/gemv_cuda.h"

namespace warpmark::cuda {
namespace {

template <ops::Weights weights>
constexpr std::string_view name() {
  return weights == ops::Weights::w16 ? "w16" : weights == ops::Weights::w8 ? "w8" : "w4";
}

template <ops::Weights weights>
Bound bind(Stream& stream, const ops::Gemv& op) {
  static const DeviceCode code(embedded::gemv_cuda_code());
  const LoadedKernel kernel =
      code.kernel(cuda_stream(stream).cuda_device(), fmt::format("gemv_{}_f16", name<weights>()).c_str());
  const Grid grid{.blocks = static_cast<unsigned>((op.rows + gemv_block_rows - 1) / gemv_block_rows),
                  .threads = gemv_block_threads};
  return {.launch = [kernel, grid, op](Stream& s) { cuda_stream(s).launch(kernel, grid, op); },
          .about = {{"vector_bytes", gemv_vector_bytes},
                    {"unroll", gemv_unroll},
                    {"warp_rows", gemv_warp_rows},
                    {"block_threads", gemv_block_threads},
                    {"jit", kernel.jit}}};
}

template <ops::Weights weights>
Kernel<ops::Gemv> kernel() {
  return {.id = {"cuda", std::string(name<weights>()), DType::f16}, .bind = bind<weights>};
}

const Implements<ops::Gemv> w16(kernel<ops::Weights::w16>());
const Implements<ops::Gemv> w8(kernel<ops::Weights::w8>());
const Implements<ops::Gemv> w4(kernel<ops::Weights::w4>());

}  // namespace
}  // namespace warpmark::cuda
