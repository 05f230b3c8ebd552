// SPDX-License-Identifier: Apache-2.0
// Matrix sums on a GPU by mma, the instruction of a warp. Its operands are in registers; chips from 9.0 on do more by
// instructions whose operands are in shared memory.
#include "kernels/compute/matrix_cuda.h"

#include <fmt/format.h>

#include "embedded/matrix_cuda_code.h"
#include "embedded/matrix_e4m3_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/compute/matrix.h"

namespace warpmark::cuda {
namespace {

/// One kernel: its C name behind compute_matrix_, and the shape of its instruction.
struct Instruction {
  const char* name = nullptr;
  const char* shape = nullptr;
  bool is_f64 = false;
};
constexpr Instruction f64_mma{.name = "f64", .shape = "m8n8k4", .is_f64 = true};
constexpr Instruction tf32_mma{.name = "tf32", .shape = "m16n8k8"};
constexpr Instruction f16_mma{.name = "f16", .shape = "m16n8k16"};
constexpr Instruction f16_acc16_mma{.name = "f16_acc16", .shape = "m16n8k16"};
constexpr Instruction bf16_mma{.name = "bf16", .shape = "m16n8k16"};
constexpr Instruction e4m3_mma{.name = "e4m3", .shape = "m16n8k32"};
constexpr Instruction i8_mma{.name = "i8", .shape = "m16n8k32"};

LoadedKernel load(Stream& stream, const DeviceCode& code, const Instruction& instruction) {
  const std::string name = fmt::format("compute_matrix_{}", instruction.name);
  return code.kernel(cuda_stream(stream).cuda_device(), name.c_str());
}

Bound bind_kernel(const LoadedKernel& kernel, const ops::MatrixSums& op, const Instruction& instruction) {
  const std::size_t of_block = matrix_results_of_block(instruction.is_f64);
  const Grid grid{.blocks = static_cast<unsigned>((op.n + of_block - 1) / of_block), .threads = matrix_block_threads};
  return {.launch = [kernel, grid, op](Stream& s) { cuda_stream(s).launch(kernel, grid, op); },
          .about = {{"instruction", fmt::format("mma.{}", instruction.shape)},
                    {"chains", matrix_chains},
                    {"block_threads", matrix_block_threads},
                    {"jit", kernel.jit}}};
}

template <const Instruction& instruction>
Bound bind(Stream& stream, const ops::MatrixSums& op) {
  static const DeviceCode code(embedded::matrix_cuda_code());
  return bind_kernel(load(stream, code, instruction), op, instruction);
}

Bound bind_e4m3(Stream& stream, const ops::MatrixSums& op) {
  static const DeviceCode code(embedded::matrix_e4m3_cuda_code());
  const LoadedKernel kernel = load(stream, code, e4m3_mma);
  if (kernel.jit)
    throw Unsupported(
        "the driver is older than this program's machine code, and PTX of that age has no mma of fp8: install a newer "
        "driver");
  return bind_kernel(kernel, op, e4m3_mma);
}

/// Asked of devices of this backend only.
template <int capability>
std::string unsupported(const Device& device, const Case&) {
  return lacks_capability(static_cast<const CudaDevice&>(device).chip(), "this mma needs", capability);
}

/// Other chips that multiply fp8 do so by wgmma or tcgen05. Their compiler takes this mma too, and makes products of
/// f16 and sums of f32 of it, which tell nothing of the unit.
std::string without_fp8(const Device& device, const Case&) {
  const Chip& chip = static_cast<const CudaDevice&>(device).chip();
  if (chip.capability() == 89 || chip.major == 12) return "";
  return fmt::format("only compute capability 8.9 and 12.x have an mma of fp8, and this GPU has {}.{}", chip.major,
                     chip.minor);
}

template <const Instruction& instruction>
Kernel<ops::MatrixSums> kernel_by(const char* variant, DType dtype, std::string_view unit) {
  return {.id = {"cuda", variant, dtype}, .bind = bind<instruction>, .unsupported = unsupported<80>, .unit = unit};
}

/// f32 as the unit takes it: rounded to tf32.
Kernel<ops::MatrixSums> tf32_kernel() {
  Kernel<ops::MatrixSums> kernel = kernel_by<tf32_mma>("mma-tf32", DType::f32, "tf32_matrix");
  kernel.rounding = {.of_operands = 0x1p-10, .name = "tf32"};
  return kernel;
}

Kernel<ops::MatrixSums> acc16_kernel() {
  Kernel<ops::MatrixSums> kernel = kernel_by<f16_acc16_mma>("mma-acc16", DType::f16, "f16_acc16_matrix");
  kernel.rounding = {.of_sums = 0x1p-10, .name = "f16_acc16"};
  return kernel;
}

const Implements<ops::MatrixSums> f64(kernel_by<f64_mma>("mma", DType::f64, "f64_matrix"));
const Implements<ops::MatrixSums> tf32(tf32_kernel());
const Implements<ops::MatrixSums> f16(kernel_by<f16_mma>("mma", DType::f16, "f16_matrix"));
const Implements<ops::MatrixSums> f16_acc16(acc16_kernel());
const Implements<ops::MatrixSums> bf16(kernel_by<bf16_mma>("mma", DType::bf16, "bf16_matrix"));
const Implements<ops::MatrixSums> i8(kernel_by<i8_mma>("mma", DType::i8, "i8_matrix"));
const Implements<ops::MatrixSums> e4m3{
    {.id = {"cuda", "mma", DType::e4m3}, .bind = bind_e4m3, .unsupported = without_fp8, .unit = "fp8_matrix"}};

}  // namespace
}  // namespace warpmark::cuda
