// SPDX-License-Identifier: Apache-2.0
// The matrix products of cublasLt. Variants: cublaslt, the fastest algorithm that the library names; cublaslt-first,
// the one that it names first, which is what frameworks get; cublaslt-tf32 and cublaslt-acc16, which compute more
// coarsely than their type; cublaslt-tn, with B transposed beforehand, as int8 and fp8 need it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "embedded/transpose_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/cublaslt_plan_cuda.h"
#include "kernels/gemm/transpose_cuda.h"

namespace warpmark::cuda {
namespace {

std::shared_ptr<const Buffer> transposed(CudaStream& stream, const Recipe& recipe, const ops::Gemm& op) {
  static const DeviceCode code(embedded::transpose_cuda_code());
  constexpr std::size_t most_along_z = 65535;
  const auto to =
      std::make_shared<Buffer>(stream.cuda_device().allocate(op.batch * op.k * op.n * recipe.operand_bytes));
  const LoadedKernel kernel =
      code.kernel(stream.cuda_device(), recipe.operand_bytes == 1 ? "gemm_transpose_1" : "gemm_transpose_2");
  stream.launch(kernel,
                {.blocks = static_cast<unsigned>(transpose_tiles(op.k) * transpose_tiles(op.n)),
                 .threads = transpose_threads,
                 .blocks_z = static_cast<unsigned>(std::min(op.batch, most_along_z))},
                TransposeParameters{.to = to->data(), .from = op.b, .rows = op.k, .columns = op.n, .batch = op.batch});
  return to;
}

std::string refused_size(const Recipe& recipe, std::string_view name, std::size_t size) {
  if (size % recipe.multiple == 0) return "";
  return fmt::format("cublasLt takes {} products whose n and k are multiples of {}, and {} is {}", recipe.name,
                     recipe.multiple, name, size);
}

void refuse_sizes(const Recipe& recipe, const ops::Gemm& op) {
  for (const auto& [name, size] : {std::pair{"n", op.n}, std::pair{"k", op.k}})
    if (const std::string why = refused_size(recipe, name, size); !why.empty()) throw Unsupported(why);
}

template <const Recipe& recipe, Choice choice>
Bound bind(Stream& any, const ops::Gemm& given) {
  refuse_sizes(recipe, given);
  CudaStream& stream = cuda_stream(any);
  ops::Gemm op = given;
  std::shared_ptr<const Buffer> b;
  if (recipe.transposed_b) {
    b = transposed(stream, recipe, given);
    op.b = b->data();
  }
  Bound bound = bind_plan(stream, recipe, choice, op, b);
  bound.about["b_layout"] = recipe.transposed_b ? "transposed once, before the samples" : "row major";
  return bound;
}

/// Asked of devices of this backend only. Of a case, the axes that are sizes by these names tell the product's.
template <const Recipe& recipe>
std::string unsupported(const Device& device, const Case& at) {
  if (std::string why = lacks_capability(static_cast<const CudaDevice&>(device).chip(),
                                         fmt::format("{} products need", recipe.name), recipe.capability);
      !why.empty())
    return why;
  for (const auto& [axis, value] : at.at) {
    const auto* const size = std::get_if<std::int64_t>(&value);
    if (size == nullptr || (axis != "n" && axis != "k")) continue;
    if (std::string why = refused_size(recipe, axis, static_cast<std::size_t>(*size)); !why.empty()) return why;
  }
  return "";
}

template <const Recipe& recipe>
struct Both {
  Both(DType dtype, std::string_view unit)
      : fastest{{.id = {"cuda", "cublaslt", dtype},
                 .bind = bind<recipe, Choice::fastest>,
                 .unsupported = unsupported<recipe>,
                 .unit = unit}},
        first{{.id = {"cuda", "cublaslt-first", dtype},
               .bind = bind<recipe, Choice::first>,
               .unsupported = unsupported<recipe>,
               .unit = unit}} {}
  Implements<ops::Gemm> fastest;
  Implements<ops::Gemm> first;
};

template <const Recipe& recipe>
Kernel<ops::Gemm> fastest(std::string_view variant, DType dtype, std::string_view unit, const Rounding& rounding = {}) {
  return {.id = {"cuda", std::string(variant), dtype},
          .bind = bind<recipe, Choice::fastest>,
          .unsupported = unsupported<recipe>,
          .unit = unit,
          .rounding = rounding};
}

const Both<recipe_of_f64> of_f64(DType::f64, "f64_matrix");
const Both<recipe_of_f32> of_f32(DType::f32, "f32_fma");
const Both<recipe_of_f16> of_f16(DType::f16, "f16_matrix");
const Both<recipe_of_bf16> of_bf16(DType::bf16, "bf16_matrix");

using Gemm = Implements<ops::Gemm>;
const Gemm of_tf32(fastest<recipe_of_tf32>("cublaslt-tf32", DType::f32, "tf32_matrix",
                                           {.of_operands = 0x1p-10, .name = "tf32"}));
const Gemm of_acc16(fastest<recipe_of_f16_acc16>("cublaslt-acc16", DType::f16, "f16_acc16_matrix",
                                                 {.of_sums = 0x1p-10, .name = "f16_acc16"}));
const Gemm of_f16_tn(fastest<recipe_of_f16_tn>("cublaslt-tn", DType::f16, "f16_matrix"));
const Gemm of_bf16_tn(fastest<recipe_of_bf16_tn>("cublaslt-tn", DType::bf16, "bf16_matrix"));
const Gemm of_i8_tn(fastest<recipe_of_i8_tn>("cublaslt-tn", DType::i8, "i8_matrix"));
const Gemm of_e4m3_tn(fastest<recipe_of_e4m3_tn>("cublaslt-tn", DType::e4m3, "fp8_matrix"));

}  // namespace
}  // namespace warpmark::cuda
