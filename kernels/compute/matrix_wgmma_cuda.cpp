// SPDX-License-Identifier: Apache-2.0
// Matrix sums on a GPU by wgmma, the instruction of four warps whose operands lie in shared memory. Only chips of
// compute capability 9.0 have it, and only with it do they reach what their data sheets say.
#include <fmt/format.h>

#include "embedded/matrix_wgmma_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/kernel.h"
#include "kernels/compute/matrix.h"
#include "kernels/compute/matrix_cuda.h"

namespace warpmark::cuda {
namespace {

/// One kernel: its C name behind compute_matrix_wgmma_, and the shape of its instruction.
struct Instruction {
  const char* name = nullptr;
  const char* shape = nullptr;
};
constexpr Instruction tf32_wgmma{.name = "tf32", .shape = "m64n240k8"};
constexpr Instruction f16_wgmma{.name = "f16", .shape = "m64n240k16"};
constexpr Instruction bf16_wgmma{.name = "bf16", .shape = "m64n240k16"};
constexpr Instruction e4m3_wgmma{.name = "e4m3", .shape = "m64n240k32"};
constexpr Instruction i8_wgmma{.name = "i8", .shape = "m64n240k32"};

template <const Instruction& instruction>
Bound bind(Stream& stream, const ops::MatrixSums& op) {
  static const DeviceCode code(embedded::matrix_wgmma_cuda_code());
  const std::string name = fmt::format("compute_matrix_wgmma_{}", instruction.name);
  const LoadedKernel kernel = code.kernel(cuda_stream(stream).cuda_device(), name.c_str());
  constexpr std::size_t of_block = matrix_wgmma_results_of_block;
  const Grid grid{.blocks = static_cast<unsigned>((op.n + of_block - 1) / of_block), .threads = matrix_block_threads};
  return {.launch = [kernel, grid, op](Stream& s) { cuda_stream(s).launch(kernel, grid, op); },
          .about = {{"instruction", fmt::format("wgmma.{}", instruction.shape)},
                    {"block_threads", matrix_block_threads},
                    {"jit", kernel.jit},
                    {"unproven", "no GPU has verified this kernel yet: its checks decide"}}};
}

/// Asked of devices of this backend only.
std::string unsupported(const Device& device, const Case&) {
  const Chip& chip = static_cast<const CudaDevice&>(device).chip();
  if (chip.capability() == 90) return "";
  return fmt::format("only compute capability 9.0 has wgmma, and this GPU has {}.{}", chip.major, chip.minor);
}

template <const Instruction& instruction>
Kernel<ops::MatrixSums> kernel_by(const char* variant, DType dtype, std::string_view unit) {
  return {.id = {"cuda", variant, dtype}, .bind = bind<instruction>, .unsupported = unsupported, .unit = unit};
}

/// f32 as the unit takes it: rounded to tf32.
Kernel<ops::MatrixSums> tf32_kernel() {
  Kernel<ops::MatrixSums> kernel = kernel_by<tf32_wgmma>("wgmma-tf32", DType::f32, "tf32_matrix");
  kernel.rounding = {.of_operands = 0x1p-10, .name = "tf32"};
  return kernel;
}

const Implements<ops::MatrixSums> tf32(tf32_kernel());
const Implements<ops::MatrixSums> f16(kernel_by<f16_wgmma>("wgmma", DType::f16, "f16_matrix"));
const Implements<ops::MatrixSums> bf16(kernel_by<bf16_wgmma>("wgmma", DType::bf16, "bf16_matrix"));
const Implements<ops::MatrixSums> e4m3(kernel_by<e4m3_wgmma>("wgmma", DType::e4m3, "fp8_matrix"));
const Implements<ops::MatrixSums> i8(kernel_by<i8_wgmma>("wgmma", DType::i8, "i8_matrix"));

}  // namespace
}  // namespace warpmark::cuda
