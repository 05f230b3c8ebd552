// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/cublaslt_plan_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/core/error.h"
#include "kernels/gemm/cublaslt_matmul_cuda.h"
#include "kernels/library/fastest_cuda.h"

namespace warpmark::cuda {
namespace {

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

}  // namespace

Bound bind_plan(CudaStream& stream, const Recipe& recipe, Choice choice, const ops::Gemm& op,
                const std::shared_ptr<const Buffer>& owned) {
  const CublasLt& lt = cublaslt();
  LibraryOnDevice& library = library_on(stream.cuda_device());
  const auto plan = plan_for(stream, library, recipe, choice, op);
  Bound bound{.launch =
                  [plan, op, owned, place = library.place](Stream& s) {
                    check(cublaslt(), plan->matmul.launch(cuda_stream(s), place, plan->algorithm, op),
                          "cublasLtMatmul");
                  },
              .about = about(lt, plan->algorithm)};
  bound.about.update(plan->matmul.about());
  bound.about["library"] = "cublasLt " + lt.version;
  bound.about["path"] = lt.path;
  return bound;
}

}  // namespace warpmark::cuda
