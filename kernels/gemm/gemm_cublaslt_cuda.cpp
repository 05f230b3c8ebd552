// SPDX-License-Identifier: Apache-2.0
// The matrix products of cublasLt. Variants: cublaslt, the fastest algorithm that the library names; cublaslt-first,
// the one that it names first, which is what frameworks get; cublaslt-tf32 and cublaslt-acc16, which compute more
// coarsely than their type; cublaslt-tn, with B transposed beforehand, as int8 and fp8 need it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "embedded/transpose_cuda_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/cublaslt_matmul_cuda.h"
#include "kernels/gemm/cublaslt_recipes_cuda.h"
#include "kernels/gemm/transpose_cuda.h"
#include "kernels/library/fastest_cuda.h"

namespace warpmark::cuda {
namespace {

enum class Choice : std::uint8_t { fastest, first };

/// A product of one size and the algorithm that was chosen for it.
struct Plan {
  Matmul matmul;
  MatmulAlgorithm algorithm{};
};

/// What decides about a plan: recipe and choice, sizes, how the operands are aligned.
struct PlanKey {
  const Recipe* recipe = nullptr;
  Choice choice = Choice::fastest;
  std::array<std::size_t, 5> sizes{};  // m, n, k, batch, alignment in bytes
  friend bool operator<(const PlanKey& a, const PlanKey& b) {
    return std::tie(a.recipe, a.choice, a.sizes) < std::tie(b.recipe, b.choice, b.sizes);
  }
};

/// What the library has on one device, for as long as that is open: a handle takes long to make, and cases of one size
/// bind thousands of operands.
struct LibraryOnDevice {
  explicit LibraryOnDevice(CudaDevice& device) : workspace(device.allocate(std::size_t{32} << 20)) {
    device.make_current();
    check(cublaslt(), cublaslt().Create(&place.handle), "cublasLtCreate", device.info().id);
    place.workspace = workspace.data();
    place.workspace_bytes = workspace.bytes();
  }
  LibraryOnDevice(const LibraryOnDevice&) = delete;
  LibraryOnDevice& operator=(const LibraryOnDevice&) = delete;
  ~LibraryOnDevice() { (void)cublaslt().Destroy(place.handle); }
  Buffer workspace;
  MatmulPlace place{};
  std::map<PlanKey, std::shared_ptr<const Plan>> plans{};
};

LibraryOnDevice& library_on(CudaDevice& device) {
  return device.attached<LibraryOnDevice>([&device] { return std::make_unique<LibraryOnDevice>(device); });
}

/// The largest power of two, up to what the library makes a difference of, that all three addresses are multiples of.
std::size_t alignment_of(const ops::Gemm& op) {
  constexpr std::uintptr_t most = 256;
  const std::uintptr_t all = reinterpret_cast<std::uintptr_t>(op.a) | reinterpret_cast<std::uintptr_t>(op.b) |
                             reinterpret_cast<std::uintptr_t>(op.c) | most;
  return all & (~all + 1);
}

/// Of what the library names, what the recipe may be computed by.
std::vector<MatmulAlgorithm> admitted(const Recipe& recipe, std::vector<MatmulAlgorithm> named) {
  if (named.empty())
    throw Unsupported(
        fmt::format("cublasLt {} names no algorithm for this {} product", cublaslt().version, recipe.name));
  if (!recipe.plain_f32) return named;
  named.erase(
      std::remove_if(named.begin(), named.end(),
                     [](const MatmulAlgorithm& a) { return !a.implementation || !is_plain_f32(*a.implementation); }),
      named.end());
  if (named.empty())
    throw Unsupported(
        fmt::format("none of the algorithms that cublasLt {} names is proven to multiply f32 without TF32 (by its "
                    "implementation flags)",
                    cublaslt().version));
  return named;
}

/// As LaunchAlgorithm has it.
std::string refusal_of(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return "";
  if (status != CUBLAS_STATUS_NOT_SUPPORTED && status != CUBLAS_STATUS_INVALID_VALUE &&
      status != CUBLAS_STATUS_ARCH_MISMATCH)
    check(cublaslt(), status, "cublasLtMatmul");
  return cublaslt().GetStatusString(status);
}

std::shared_ptr<const Plan> make_plan(CudaStream& stream, const MatmulPlace& place, const Recipe& recipe, Choice choice,
                                      const ops::Gemm& op) {
  const auto plan = std::make_shared<Plan>(Plan{.matmul = Matmul(cublaslt(), recipe.types, op, recipe.transposed_b)});
  const std::vector<MatmulAlgorithm> all = admitted(recipe, plan->matmul.algorithms(place, alignment_of(op)));
  const auto launch = [&](std::size_t i) { return refusal_of(plan->matmul.launch(stream, place, all[i], op)); };
  plan->algorithm = all[choice == Choice::first ? first_algorithm(stream, all.size(), launch)
                                                : fastest_algorithm(stream, all.size(), launch)];
  return plan;
}

std::shared_ptr<const Plan> plan_for(CudaStream& stream, LibraryOnDevice& library, const Recipe& recipe, Choice choice,
                                     const ops::Gemm& op) {
  const PlanKey key{.recipe = &recipe, .choice = choice, .sizes = {op.m, op.n, op.k, op.batch, alignment_of(op)}};
  std::shared_ptr<const Plan>& plan = library.plans[key];
  if (!plan) plan = make_plan(stream, library.place, recipe, choice, op);
  return plan;
}

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
  const CublasLt& lt = cublaslt();
  LibraryOnDevice& library = library_on(stream.cuda_device());
  ops::Gemm op = given;
  std::shared_ptr<const Buffer> b;
  if (recipe.transposed_b) {
    b = transposed(stream, recipe, given);
    op.b = b->data();
  }
  const auto plan = plan_for(stream, library, recipe, choice, op);
  Bound bound{.launch =
                  [plan, b, op, place = library.place](Stream& s) {
                    check(cublaslt(), plan->matmul.launch(cuda_stream(s), place, plan->algorithm, op),
                          "cublasLtMatmul");
                  },
              .about = about(lt, plan->algorithm)};
  bound.about.update(plan->matmul.about());
  bound.about["library"] = "cublasLt " + lt.version;
  bound.about["path"] = lt.path;
  bound.about["b_layout"] = recipe.transposed_b ? "transposed once, before the samples" : "row major";
  return bound;
}

/// Asked of devices of this backend only. Of a case, the axes that are sizes by these names tell the product's.
template <const Recipe& recipe>
std::string unsupported(const Device& device, const Case& at) {
  const Chip& chip = static_cast<const CudaDevice&>(device).chip();
  if (chip.capability() < recipe.capability)
    return fmt::format("{} products need compute capability {}.{}, and this GPU has {}.{}", recipe.name,
                       recipe.capability / 10, recipe.capability % 10, chip.major, chip.minor);
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
