// SPDX-License-Identifier: Apache-2.0
// The convolutions of cuDNN on a simulated H200 (tests/fakes/cudnn): graphs, heuristics and plans are the real
// library's. Every layer is right in every pass and type, by the engine that is the fastest there, and f32 never by one
// that uses a matrix unit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cudnn.h"
#include "harness/core/error.h"
#include "harness/measure/measure.h"
#include "tests/harness/store/temporary_folder.h"
#include "tests/kernels/convolution_reference.h"

namespace warpmark {
namespace {

using ops::ConvolutionPass;
using ops::ConvolutionShape;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

KernelBench& gpu() { return benches().at("cuda"); }

const Kernel<ops::Convolution>& kernel(const char* variant, DType dtype) {
  return kernel_of<ops::Convolution>({.backend = "cuda", .variant = variant, .dtype = dtype});
}

std::vector<Kernel<ops::Convolution>> library_kernels() {
  std::vector<Kernel<ops::Convolution>> all;
  for (const Kernel<ops::Convolution>& each : kernels<ops::Convolution>())
    if (each.id.backend == "cuda") all.push_back(each);
  return all;
}

TEST(Cudnn, HasEveryTypeAndVariant) {
  std::vector<std::string> names;
  for (const Kernel<ops::Convolution>& each : library_kernels()) {
    names.push_back(each.id.variant + "/" + std::string(name_of(each.id.dtype)) + ":" + std::string(each.unit));
    EXPECT_TRUE(gpu().device->info().ceilings.at(std::string(each.unit)).value) << names.back();
  }
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("cudnn/f32:f32_fma", "cudnn-first/f32:f32_fma", "cudnn/f16:f16_matrix",
                                            "cudnn-first/f16:f16_matrix", "cudnn/bf16:bf16_matrix",
                                            "cudnn-first/bf16:bf16_matrix", "cudnn-tf32/f32:tf32_matrix"));
}

const Benchmark& resnet50() {
  const auto found = std::find_if(benchmarks().begin(), benchmarks().end(),
                                  [](const Benchmark& b) { return b.name == "convolution/resnet50"; });
  if (found == benchmarks().end()) throw std::logic_error("no such benchmark");
  return *found;
}

/// Binds and launches a layer at batch 1 and has it checked on the device.
void expect_layer_right(const KernelId& id, const AxisValue& layer, const char* pass) {
  Arena arena(*gpu().device, *gpu().stream);
  const Setup::Place place{.device = gpu().device.get(), .stream = gpu().stream.get(), .arena = &arena};
  const Case at{.kernel = id,
                .mode = Mode::batch,
                .at = {{"layer", layer}, {"pass", std::string(pass)}, {"batch", std::int64_t{1}}}};
  Setup setup(std::span(&place, 1), at);
  const Job job = resnet50().job(setup);
  arena.poison_again();
  Verifier verifier(std::span(&place, 1), id.dtype);
  EXPECT_FALSE(job.turns.front().verify(verifier).ok()) << "not launched";
  job.turns.front().launch(*gpu().stream);
  const Verdict verdict = job.turns.front().verify(verifier);
  EXPECT_TRUE(verdict.ok()) << text_of(id) << " " << text_of(layer) << " " << pass << ": " << verdict.error << " of "
                            << verdict.allowed;
}

/// Of f32 by the matrix unit the small and the odd ones: choosing an engine runs all of them.
void expect_layers_right(const char* pass) {
  const std::vector<AxisValue>& layers = resnet50().axes.front().values;
  EXPECT_EQ(layers.size(), 23U);
  for (const AxisValue& layer : layers)
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16})
      expect_layer_right(kernel("cudnn-first", dtype).id, layer, pass);
  for (const char* const layer : {"res5_3x3", "res4_1x1_s2_512_1024"})
    for (const KernelId& id :
         {kernel("cudnn-tf32", DType::f32).id, kernel("cudnn", DType::f32).id, kernel("cudnn", DType::f16).id})
      expect_layer_right(id, std::string(layer), pass);
}

TEST(Cudnn, HasEveryLayerForward) { expect_layers_right("fprop"); }
TEST(Cudnn, HasEveryGradientOfData) { expect_layers_right("dgrad"); }
TEST(Cudnn, HasEveryGradientOfFilters) { expect_layers_right("wgrad"); }

// Rows and columns differ, so that none is taken for the other.
constexpr ConvolutionShape shapes[] = {
    {.n = 2, .c = 16, .h = 9, .w = 7, .k = 32, .r = 3, .s = 3, .padding = 1},
    {.n = 1, .c = 32, .h = 10, .w = 8, .k = 16, .r = 3, .s = 3, .stride = 2, .padding = 1},
    {.n = 3, .c = 64, .h = 5, .w = 6, .k = 48, .r = 1, .s = 1},
    {.n = 1, .c = 8, .h = 17, .w = 14, .k = 16, .r = 7, .s = 7, .stride = 2, .padding = 3},
};

double error_of(const ConvolutionArrays& arrays) {
  return ConvolutionReference(arrays).worst_of(arrays.result().values());
}

TEST(Cudnn, IsRightAtOddShapes) {
  for (const Kernel<ops::Convolution>& each : library_kernels()) {
    for (const ConvolutionPass pass : every_pass) {
      for (const ConvolutionShape& shape : shapes) {
        const std::string what = text_of(each.id) + text_of(pass, shape);
        const double allowed = 4 * std::max(epsilon_of(each.id.dtype), each.rounding.of_operands);
        const ConvolutionArrays arrays(gpu(), pass, shape, each.id.dtype);
        const Bound bound = each.bind(*gpu().stream, arrays.op());
        gpu().stream->poison(arrays.result().data(), size_of(each.id.dtype));
        EXPECT_FALSE(error_of(arrays) <= allowed) << what << ": an element that is not written";
        for (int twice = 0; twice < 2; ++twice) bound.launch(*gpu().stream);
        gpu().stream->wait();
        EXPECT_LE(error_of(arrays), allowed) << what;
        EXPECT_TRUE(arrays.x.guards_intact() && arrays.filters.guards_intact() && arrays.y.guards_intact()) << what;
      }
    }
  }
}

constexpr ConvolutionShape plain_shape{.n = 2, .c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .padding = 1};

// On this machine engines with the matrix unit are named first, and would be far the fastest.
TEST(Cudnn, NeverUsesAMatrixUnitForF32) {
  for (const ConvolutionPass pass : every_pass) {
    const ConvolutionArrays arrays(gpu(), pass, plain_shape, DType::f32);
    for (const char* const variant : {"cudnn", "cudnn-first"}) {
      const Bound bound = kernel(variant, DType::f32).bind(*gpu().stream, arrays.op());
      EXPECT_THAT(bound.about.at("engine").at("notes").dump(),
                  AllOf(Not(HasSubstr("tensor_core")), Not(HasSubstr("reduced")), Not(HasSubstr("winograd"))));
      EXPECT_GT(bound.about.at("heuristic").at("left_out"), 0);
      EXPECT_GT(bound.about.at("heuristic").at("rank"), 1);
      bound.launch(*gpu().stream);
      EXPECT_LE(error_of(arrays), 4 * epsilon_of(DType::f32));
    }
    const Bound tf32 = kernel("cudnn-tf32", DType::f32).bind(*gpu().stream, arrays.op());
    EXPECT_THAT(tf32.about.at("engine").at("notes"), Contains("tensor_core"));
    tf32.launch(*gpu().stream);
    EXPECT_GT(error_of(arrays), 100 * epsilon_of(DType::f32)) << "the twin: rounded operands do show";
  }
}

double seconds_of(const Bound& bound) {
  constexpr int launches = 20;
  return gpu().stream->time([&](Stream& s) {
    for (int i = 0; i < launches; ++i) bound.launch(s);
  }) / launches;
}

TEST(Cudnn, TakesTheFastestAndKeepsTheFirstBesideIt) {
  const ConvolutionArrays arrays(gpu(), ConvolutionPass::forward, plain_shape, DType::f16);
  const Bound fastest = kernel("cudnn", DType::f16).bind(*gpu().stream, arrays.op());
  const Bound first = kernel("cudnn-first", DType::f16).bind(*gpu().stream, arrays.op());
  EXPECT_EQ(first.about.at("heuristic").at("rank"), 1);
  EXPECT_EQ(fastest.about.at("heuristic").at("rank"), 3) << "the second refuses to run";
  EXPECT_EQ(fastest.about.at("heuristic").at("of"), first.about.at("heuristic").at("of"));
}

TEST(Cudnn, IsAsMuchFasterThanTheFirstAsItsEngine) {
  // Of f32, whose time is that of the unit and not of the memory.
  const ConvolutionShape shape{.n = 2, .c = 128, .h = 14, .w = 14, .k = 128, .r = 3, .s = 3, .padding = 1};
  const ConvolutionArrays arrays(gpu(), ConvolutionPass::forward, shape, DType::f32);
  const Bound fastest = kernel("cudnn", DType::f32).bind(*gpu().stream, arrays.op());
  const Bound first = kernel("cudnn-first", DType::f32).bind(*gpu().stream, arrays.op());
  EXPECT_NEAR(seconds_of(first) / seconds_of(fastest), 1 / 0.8, 0.03);
}

TEST(Cudnn, SaysWhatRan) {
  const ConvolutionArrays arrays(gpu(), ConvolutionPass::forward, plain_shape, DType::bf16);
  const Bound bound = kernel("cudnn", DType::bf16).bind(*gpu().stream, arrays.op());
  EXPECT_THAT(bound.about.at("library").get<std::string>(), testing::MatchesRegex("cuDNN 9\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(bound.about.at("path").get<std::string>(), HasSubstr("/fakes/libcudnn.so.9"));
  EXPECT_GE(bound.about.at("engine").at("id"), 0);
  EXPECT_GE(bound.about.at("engine").at("workspace_bytes"), 0);
  EXPECT_GT(bound.about.at("workspace_limit_bytes"), 0);
  EXPECT_EQ(bound.about.at("heuristic").at("list"), "by model");
}

TEST(Cudnn, StatusesAreRefusalsOrFailures) {
  const cuda::Cudnn& dnn = cuda::cudnn();
  EXPECT_THROW(cuda::check(dnn, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "it"), Unsupported);
  EXPECT_THROW(cuda::check(dnn, CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "it"), Skipped);
  EXPECT_NO_THROW(cuda::check(dnn, CUDNN_STATUS_SUCCESS, "it"));
  try {
    cuda::check(dnn, CUDNN_STATUS_EXECUTION_FAILED, "cudnnBackendExecute");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED 5000"),
                                    HasSubstr("CUDNN_LOGLEVEL_DBG")));
  }
}

/// The machine with changes, in a process of its own: a process opens one driver.
class OtherMachine : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  void simulate(const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json scenario =
        nlohmann::json::parse(text_of_file(WARPMARK_SOURCE_DIR "/tests/fakes/machines/h200.json"));
    change(scenario);
    ::setenv("SIMULATED_MACHINE", folder_.write("scenario.json", scenario.dump()).c_str(), 1);
  }

  /// Ends the process, the complaint on stderr.
  [[noreturn]] static void bind_and_exit(const char* variant, DType dtype) {
    std::string why;
    try {
      const ConvolutionArrays arrays(gpu(), ConvolutionPass::forward, plain_shape, dtype);
      kernel(variant, dtype).bind(*gpu().stream, arrays.op()).launch(*gpu().stream);
      why = error_of(arrays) <= 4 * epsilon_of(dtype) ? "" : "wrong";
    } catch (const Error& error) {
      why = error.what();
    }
    std::fputs(why.c_str(), stderr);
    std::exit(why.empty() ? 0 : 1);
  }

  TemporaryFolder folder_{};
};

TEST_F(OtherMachine, OfAnotherChipHasPlansToo) {
  const auto on = [&](const char* capability, DType dtype) {
    simulate([&](nlohmann::json& s) { s["devices"][0]["compute_capability"] = capability; });
    bind_and_exit("cudnn-first", dtype);
  };
  for (const char* const capability : {"8.0", "8.6", "8.9", "12.0"})
    for (const DType dtype : {DType::f32, DType::f16})
      EXPECT_EXIT(on(capability, dtype), testing::ExitedWithCode(0), "") << capability;
}

TEST_F(OtherMachine, OfAnOldChipSaysWhatItLacks) {
  const auto on = [&] {
    simulate([](nlohmann::json& s) { s["devices"][0]["compute_capability"] = "7.5"; });
    for (const Kernel<ops::Convolution>& each : library_kernels())
      std::fprintf(stderr, "%s: %s;", text_of(each.id).c_str(),
                   each.unsupported(*gpu().device, Case{.kernel = each.id}).c_str());
    std::exit(0);
  };
  EXPECT_EXIT(on(), testing::ExitedWithCode(0),
              AllOf(HasSubstr("cudnn/bf16: bf16 convolutions need compute capability 8.0, and this GPU has 7.5;"),
                    HasSubstr("cudnn-tf32/f32: tf32 convolutions need compute capability 8.0"),
                    HasSubstr("cudnn/f16: ;"), HasSubstr("cudnn/f32: ;")));
}

TEST_F(OtherMachine, WithADriverOlderThanTheLibrarySaysSo) {
  const auto on = [&] {
    simulate([](nlohmann::json& s) { s["driver_version"] = 12040; });
    bind_and_exit("cudnn", DType::f32);
  };
  EXPECT_EXIT(on(), testing::ExitedWithCode(1), "is for CUDA 13, and the driver serves CUDA 12: update the driver, or");
}

}  // namespace
}  // namespace warpmark
