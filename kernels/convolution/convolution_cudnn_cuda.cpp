// SPDX-License-Identifier: Apache-2.0
// The convolutions of cuDNN. Variants: cudnn, the fastest of the first engines that its heuristics name; cudnn-first,
// the first of them that runs; cudnn-tf32, f32 whose operands the matrix unit rounds. Engines
// that do fewer multiplications than are counted, or narrow sums or operands, are left out; of f32 all that use matrix
// units.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "harness/core/units.h"
#include "kernels/convolution/cudnn_graph_cuda.h"
#include "kernels/library/fastest_cuda.h"

namespace warpmark::cuda {
namespace {

enum class Choice : std::uint8_t { fastest, first };

constexpr std::size_t most_engines = 10;
constexpr std::size_t most_workspace_bytes = std::size_t{1} << 30;

bool uses_matrix_unit(const CudnnEngine& engine) {
  return is_direct(engine) && engine.has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
}

struct Recipe {
  std::string_view name{};
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  bool (*admits)(const CudnnEngine&) = is_direct;
  std::string_view others = "not direct, or of narrow sums";  // what engines are that it does not admit
  int capability = 0;                                         // of the chip, at least
};
constexpr Recipe recipe_of_f32{
    .name = "f32", .admits = is_plain_f32, .others = "not proven to multiply f32 without TF32 (by their notes)"};
constexpr Recipe recipe_of_tf32{.name = "tf32",
                                .admits = uses_matrix_unit,
                                .others = "without matrix units, not direct, or of narrow sums",
                                .capability = 80};
constexpr Recipe recipe_of_f16{.name = "f16", .type = CUDNN_DATA_HALF};
constexpr Recipe recipe_of_bf16{.name = "bf16", .type = CUDNN_DATA_BFLOAT16, .capability = 80};

/// A pass over a layer, and the engine that was chosen for it.
struct Plan {
  std::shared_ptr<const CudnnConvolution> convolution{};
  CudnnEngine engine{};
  std::shared_ptr<const CudnnDescriptor> plan{};
  std::size_t workspace_bytes = 0;
  std::size_t workspace_limit_bytes = 0;
  std::size_t left_out = 0;  // engines that the recipe does not admit
};

struct PlanKey {
  const Recipe* recipe = nullptr;
  Choice choice = Choice::fastest;
  ops::ConvolutionPass pass = ops::ConvolutionPass::forward;
  ops::ConvolutionShape shape{};
};

bool operator<(const PlanKey& a, const PlanKey& b) {
  const auto all = [](const PlanKey& key) {
    const ops::ConvolutionShape& s = key.shape;
    return std::make_tuple(key.recipe, key.choice, key.pass, s.n, s.c, s.h, s.w, s.k, s.r, s.s, s.stride, s.padding);
  };
  return all(a) < all(b);
}

/// What the library has on one device, for as long as that is open.
struct CudnnOnDevice {
  explicit CudnnOnDevice(CudaDevice& of) : device(of) {
    device.make_current();
    check(cudnn(), cudnn().Create(&handle), "cudnnCreate", device.info().id);
  }
  CudnnOnDevice(const CudnnOnDevice&) = delete;
  CudnnOnDevice& operator=(const CudnnOnDevice&) = delete;
  ~CudnnOnDevice() {
    plans.clear();  // they were made with the handle
    (void)cudnn().Destroy(handle);
  }

  /// One for all layers: launches follow each other. It grows.
  std::shared_ptr<const Buffer> workspace_of(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    if (!workspace || workspace->bytes() < bytes) workspace = std::make_shared<Buffer>(device.allocate(bytes));
    return workspace;
  }

  void use(CudaStream& with) {
    device.make_current();  // the library takes the context that is current
    if (stream == with.handle()) return;
    check(cudnn(), cudnn().SetStream(handle, with.handle()), "cudnnSetStream");
    stream = with.handle();
  }

  [[nodiscard]] cudnnStatus_t launch(CudaStream& on, const CudnnDescriptor& plan, const CudnnDescriptor& arrays) {
    use(on);
    on.count_library_call();
    return cudnn().BackendExecute(handle, plan.handle(), arrays.handle());
  }

  CudaDevice& device;
  cudnnHandle_t handle = nullptr;
  CUstream stream = nullptr;
  std::shared_ptr<const Buffer> workspace{};
  std::map<PlanKey, std::shared_ptr<const Plan>> plans{};
};

CudnnOnDevice& library_on(CudaDevice& device) {
  return device.attached<CudnnOnDevice>([&device] { return std::make_unique<CudnnOnDevice>(device); });
}

std::string refusal_of(cudnnStatus_t status) {
  if (status == CUDNN_STATUS_SUCCESS) return "";
  if (!is_refusal(status)) check(cudnn(), status, "cudnnBackendExecute");
  return text_of(cudnn(), status);
}

/// Of what the library names, the first engines that the recipe admits, that have a plan, and whose workspace is within
/// the limit.
class Candidates {
 public:
  Candidates(const Recipe& recipe, const CudnnOnDevice& library,
             const std::shared_ptr<const CudnnConvolution>& convolution)
      : limit_(std::min(most_workspace_bytes, static_cast<std::size_t>(library.device.memory_available()) / 4)) {
    for (const CudnnEngine& engine : convolution->engines()) {
      ++named_;
      if (!recipe.admits(engine)) {
        ++left_out_;
      } else if (plans_.size() < most_engines) {
        add(engine, convolution);
      }
    }
    for (Plan& plan : plans_) plan.left_out = left_out_;
    if (plans_.empty()) refuse(recipe);
  }

  [[nodiscard]] const std::vector<Plan>& plans() const { return plans_; }

 private:
  void add(const CudnnEngine& engine, const std::shared_ptr<const CudnnConvolution>& convolution) {
    const std::shared_ptr<const CudnnDescriptor> plan = convolution->plan(engine, why_);
    if (!plan) return;
    const auto bytes = static_cast<std::size_t>(plan->integer(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
    if (bytes > limit_) {
      why_ = fmt::format("a workspace of {}, and {} is the limit", format_bytes(static_cast<double>(bytes)),
                         format_bytes(static_cast<double>(limit_)));
      return;
    }
    plans_.push_back({.convolution = convolution,
                      .engine = engine,
                      .plan = plan,
                      .workspace_bytes = bytes,
                      .workspace_limit_bytes = limit_});
  }

  [[noreturn]] void refuse(const Recipe& recipe) const {
    throw Unsupported(fmt::format("cuDNN {} has no engine for this {} convolution: {} named, {} of them {}{}{}",
                                  cudnn().version, recipe.name, named_, left_out_, recipe.others,
                                  why_.empty() ? "" : "; the last other one: ", why_));
  }

  std::size_t limit_;
  std::size_t named_ = 0;
  std::size_t left_out_ = 0;
  std::string why_{};
  std::vector<Plan> plans_{};
};

std::shared_ptr<const Plan> make_plan(CudaStream& stream, CudnnOnDevice& library, const Recipe& recipe, Choice choice,
                                      const ops::Convolution& op) {
  const auto convolution = std::make_shared<CudnnConvolution>(cudnn(), library.handle, op, recipe.type);
  const Candidates candidates(recipe, library, convolution);
  const std::vector<Plan>& plans = candidates.plans();
  std::size_t most = 0;
  for (const Plan& plan : plans) most = std::max(most, plan.workspace_bytes);
  // Apart from the one that stays: most of it is of engines that lose.
  const std::unique_ptr<const Buffer> workspace =
      most == 0 ? nullptr : std::make_unique<Buffer>(library.device.allocate(most));
  const auto arrays = convolution->arrays(op, workspace ? workspace->data() : nullptr);
  const auto launch = [&](std::size_t i) { return refusal_of(library.launch(stream, *plans[i].plan, *arrays)); };
  const std::size_t best = choice == Choice::first ? first_algorithm(stream, plans.size(), launch)
                                                   : fastest_algorithm(stream, plans.size(), launch);
  stream.wait();  // before the workspace goes
  return std::make_shared<const Plan>(plans[best]);
}

nlohmann::json about_plan(const Plan& plan) {
  nlohmann::json all = about(plan.engine);
  all["engine"]["workspace_bytes"] = plan.workspace_bytes;
  all["heuristic"]["left_out"] = plan.left_out;
  all["workspace_limit_bytes"] = plan.workspace_limit_bytes;
  all["library"] = "cuDNN " + cudnn().version;
  all["path"] = cudnn().path;
  all["layouts"] = {{"x", "nhwc"}, {"filters", "krsc"}, {"y", "npqk"}};
  return all;
}

template <const Recipe& recipe, Choice choice>
Bound bind(Stream& any, const ops::Convolution& op) {
  CudaStream& stream = cuda_stream(any);
  CudnnOnDevice& library = library_on(stream.cuda_device());
  std::shared_ptr<const Plan>& plan =
      library.plans[{.recipe = &recipe, .choice = choice, .pass = op.pass, .shape = op.shape}];
  if (!plan) plan = make_plan(stream, library, recipe, choice, op);
  const std::shared_ptr<const Buffer> workspace = library.workspace_of(plan->workspace_bytes);
  const std::shared_ptr<const CudnnDescriptor> arrays =
      plan->convolution->arrays(op, workspace ? workspace->data() : nullptr);
  return {.launch =
              [&library, plan = plan, workspace, arrays](Stream& s) {
                check(cudnn(), library.launch(cuda_stream(s), *plan->plan, *arrays), "cudnnBackendExecute");
              },
          .about = about_plan(*plan)};
}

/// Asked of devices of this backend only.
template <const Recipe& recipe>
std::string unsupported(const Device& device, const Case&) {
  return lacks_capability(static_cast<const CudaDevice&>(device).chip(),
                          fmt::format("{} convolutions need", recipe.name), recipe.capability);
}

template <const Recipe& recipe, Choice choice>
Kernel<ops::Convolution> kernel(std::string_view variant, DType dtype, std::string_view unit,
                                const Rounding& rounding = {}) {
  return {.id = {"cuda", std::string(variant), dtype},
          .bind = bind<recipe, choice>,
          .unsupported = unsupported<recipe>,
          .unit = unit,
          .rounding = rounding};
}

using Convolution = Implements<ops::Convolution>;
const Convolution f32(kernel<recipe_of_f32, Choice::fastest>("cudnn", DType::f32, "f32_fma"));
const Convolution f32_first(kernel<recipe_of_f32, Choice::first>("cudnn-first", DType::f32, "f32_fma"));
const Convolution f16(kernel<recipe_of_f16, Choice::fastest>("cudnn", DType::f16, "f16_matrix"));
const Convolution f16_first(kernel<recipe_of_f16, Choice::first>("cudnn-first", DType::f16, "f16_matrix"));
const Convolution bf16(kernel<recipe_of_bf16, Choice::fastest>("cudnn", DType::bf16, "bf16_matrix"));
const Convolution bf16_first(kernel<recipe_of_bf16, Choice::first>("cudnn-first", DType::bf16, "bf16_matrix"));
const Convolution tf32(kernel<recipe_of_tf32, Choice::fastest>("cudnn-tf32", DType::f32, "tf32_matrix",
                                                               {.of_operands = 0x1p-10, .name = "tf32"}));

}  // namespace
}  // namespace warpmark::cuda
