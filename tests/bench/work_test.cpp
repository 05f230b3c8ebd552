// SPDX-License-Identifier: Apache-2.0
// What each benchmark says that a launch moves and computes, against values worked out by hand, and what bounds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/core/benchmark.h"
#include "harness/core/error.h"
#include "harness/device/device.h"
#include "kernels/gemm/gemm.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const Benchmark& named(std::string_view name) {
  const auto found =
      std::find_if(benchmarks().begin(), benchmarks().end(), [&](const Benchmark& b) { return b.name == name; });
  if (found == benchmarks().end()) throw std::logic_error("no benchmark " + std::string(name));
  return *found;
}

DeviceInfo with_cache(std::int64_t bytes) {
  DeviceInfo device;
  device.last_level_cache_bytes = bytes;
  return device;
}

Work memory_at(std::string_view name, const AxisValue& footprint, DType dtype = DType::f64) {
  const Case at{.kernel = {"cpu", "plain", dtype}, .at = {{"footprint", footprint}}};
  return named("memory/" + std::string(name)).work(at, with_cache(32 << 20));
}

Work triad_at(const AxisValue& footprint) { return memory_at("triad", footprint); }

Work gemm_at(std::int64_t n, DType dtype = DType::f32) {
  const Case at{.kernel = {"cpu", "blocked", dtype}, .at = {{"n", n}}};
  return named("gemm/square").work(at, with_cache(32 << 20));
}

TEST(MemoryWork, CountsEachArrayOnceAPass) {
  // 64 MiB: 8388608 elements of one f64 array, 4194304 of two; 16777216 of one f32 array.
  constexpr double all = 67108864;
  const auto same = [](const Work& w, double read, double written, double flops) {
    EXPECT_EQ(w.bytes_read, read);
    EXPECT_EQ(w.bytes_written, written);
    EXPECT_EQ(w.flops, flops);
  };
  same(memory_at("read", 67108864), all, 0, 0);
  same(memory_at("write", 67108864), 0, all, 0);
  same(memory_at("copy", 67108864), all / 2, all / 2, 0);
  same(memory_at("scale", 67108864), all / 2, all / 2, 4194304);
  same(memory_at("dot", 67108864), all, 0, 8388608);
  same(memory_at("dot", 67108864, DType::f32), all, 0, 16777216);
}

TEST(TriadWork, ReadsTwoArraysAndWritesOneInEveryPass) {
  // 16 KiB / 24 B, rounded up: 683 elements, 127 passes fill the 2 MiB of one core, so 86741 elements of 8 B.
  EXPECT_EQ(triad_at(16384).bytes_read, 1387856);
  EXPECT_EQ(triad_at(16384).bytes_written, 693928);
  EXPECT_EQ(triad_at(16384).flops, 173482);
  EXPECT_EQ(triad_at(16384).bytes(), 2081784);
}

TEST(TriadWork, IsOnePassInMemory) {
  // 1 GiB / 24 B, rounded up: 44739243 elements.
  EXPECT_EQ(triad_at("memory").bytes_read, 715827888);
  EXPECT_EQ(triad_at("memory").bytes_written, 357913944);
  EXPECT_EQ(triad_at("memory").flops, 89478486);
}

TEST(LaunchWork, IsOneStepWhateverIsPassed) {
  const Case at{.kernel = {"cuda", "empty", DType::u8}, .at = {{"arguments", 4096}, {"blocks", 65536}}};
  for (const char* const name : {"launch/submit", "launch/back_to_back", "launch/round_trip"}) {
    const Work work = named(name).work(at, {});
    EXPECT_EQ(work.steps, 1) << name;
    EXPECT_EQ(work.bytes(), 0) << name;
    EXPECT_EQ(named(name).ceiling(at, {}).name, "") << name;
  }
}

TEST(LaunchWork, IsSampledOneByOneWhereSlowOnesCount) {
  EXPECT_TRUE(named("launch/submit").tail);
  EXPECT_TRUE(named("launch/round_trip").tail);
  EXPECT_FALSE(named("launch/back_to_back").tail) << "the device's clock is around many";
  EXPECT_FALSE(named("launch/after_idle").tail) << "each takes a sleep";
}

TEST(SteadyWork, IsThatOfTheSameOperationElsewhere) {
  const Case triad{.kernel = {"cpu", "plain", DType::f64}, .at = {{"footprint", "memory"}, {"seconds", 15}}};
  EXPECT_EQ(named("steady/triad").work(triad, with_cache(32 << 20)).bytes(), triad_at("memory").bytes());
  const Case gemm{.kernel = {"cpu", "blocked", DType::f32}, .at = {{"n", 512}, {"seconds", 15}}};
  EXPECT_EQ(named("steady/gemm").work(gemm, with_cache(32 << 20)).flops, gemm_at(512).flops);
}

TEST(SteadyProtocol, LastsForItsSecondsInWindowsOfAQuarterAtMost) {
  const auto protocol_at = [](std::int64_t seconds) {
    const Case at{.kernel = {"cpu", "plain", DType::f64}, .at = {{"footprint", "memory"}, {"seconds", seconds}}};
    return protocol_of(named("steady/triad"), at, {});
  };
  EXPECT_EQ(protocol_at(15).max_seconds, 15);
  EXPECT_EQ(protocol_at(15).min_seconds, 15);
  EXPECT_DOUBLE_EQ(protocol_at(15).batch_seconds, 0.2);
  EXPECT_EQ(protocol_at(300).batch_seconds, 0.25);
  EXPECT_EQ(protocol_at(1).batch_seconds, 0.1);
  EXPECT_EQ(protocol_at(15).min_warmup_seconds, 0);
  EXPECT_EQ(protocol_at(std::int64_t{1} << 40).max_seconds, 43200);
  EXPECT_EQ(protocol_of(named("memory/triad"), {}, {}).max_seconds, Protocol{}.max_seconds);
}

TEST(GemmWork, IsTwoNCubedAndEachMatrixOnce) {
  EXPECT_EQ(gemm_at(512).flops, 268435456);  // 2 x 512^3 = 2^28
  EXPECT_EQ(gemm_at(512).bytes_read, 2097152);
  EXPECT_EQ(gemm_at(512).bytes_written, 1048576);
  EXPECT_EQ(gemm_at(1).flops, 2);
  EXPECT_EQ(gemm_at(1).bytes(), 12);
  EXPECT_EQ(gemm_at(100000).flops, 2e15) << "beyond 32 bits";
}

TEST(GemmWork, WritesInt32OfInt8) {
  EXPECT_EQ(gemm_at(512, DType::i8).bytes_read, 524288);
  EXPECT_EQ(gemm_at(512, DType::i8).bytes_written, 1048576);
  EXPECT_EQ(gemm_at(512, DType::bf16).bytes(), 1572864);
}

TEST(GemmWork, WritesBf16OfFp8) {
  EXPECT_EQ(gemm_at(512, DType::e4m3).bytes_read, 524288);
  EXPECT_EQ(gemm_at(512, DType::e4m3).bytes_written, 524288);
}

TEST(GemmWork, OfOtherShapes) {
  const Case skinny{.kernel = {"cpu", "onednn", DType::f32}, .at = {{"m", 16}, {"n", 4096}}};
  const Work few = named("gemm/skinny").work(skinny, {});
  EXPECT_EQ(few.flops, 536870912);       // 2 x 16 x 4096^2
  EXPECT_EQ(few.bytes_read, 67371008);   // 4 x (16 x 4096 + 4096^2)
  EXPECT_EQ(few.bytes_written, 262144);  // 4 x 16 x 4096
  const Case batched{.kernel = {"cpu", "onednn", DType::f32}, .at = {{"n", 64}, {"batch", 10}}};
  const Work many = named("gemm/batched").work(batched, {});
  EXPECT_EQ(many.flops, 5242880);   // 10 x 2 x 64^3
  EXPECT_EQ(many.bytes(), 491520);  // 10 x 3 x 4 x 64^2
}

Work layer_at(const char* name, const AxisValue& model, const char* matrix, std::int64_t tokens) {
  const Case at{.kernel = {"cpu", "onednn", DType::f32},
                .at = {{"model", model}, {"matrix", matrix}, {"tokens", tokens}}};
  return named(name).work(at, {});
}

TEST(GemmWork, OfTheMatricesOfALayer) {
  const Work q = layer_at("gemm/projection", "8b", "qo", 16);
  EXPECT_EQ(q.flops, 536870912);                                               // 2 x 16 x 4096^2
  EXPECT_EQ(q.bytes_read, 67371008);                                           // 4 x (16 x 4096 + 4096^2)
  EXPECT_EQ(q.bytes_written, 262144);                                          // 4 x 16 x 4096
  EXPECT_EQ(layer_at("gemm/projection", "8b", "kv", 1).flops, 8388608);        // 2 x 4096 x 1024
  EXPECT_EQ(layer_at("gemm/projection", "70b", "kv", 1).bytes_written, 4096);  // 1024 of 4 B
  EXPECT_EQ(layer_at("gemm/projection", "70b", "qo", 1).flops, 134217728);     // 2 x 8192^2
  EXPECT_EQ(layer_at("gemm/mlp", "8b", "up", 512).flops, 60129542144);         // 2 x 512 x 4096 x 14336
  EXPECT_EQ(layer_at("gemm/mlp", "8b", "up", 512).bytes_written, 29360128);    // 4 x 512 x 14336
  EXPECT_EQ(layer_at("gemm/mlp", "8b", "down", 512).flops, 60129542144);
  EXPECT_EQ(layer_at("gemm/mlp", "8b", "down", 512).bytes_written, 8388608);  // 4 x 512 x 4096
  EXPECT_EQ(layer_at("gemm/mlp", "70b", "down", 4096).flops, 1924145348608);  // 2 x 4096 x 8192 x 28672
  EXPECT_EQ(layer_at("gemm/mlp", 64, "up", 1).flops, 28672);                  // 2 x 64 x 224
  EXPECT_EQ(layer_at("gemm/projection", 64, "kv", 1).flops, 2048);            // 2 x 64 x 16
}

TEST(GemvWork, IsEveryWeightOnceAndItsScales) {
  const auto decode = [](const char* variant, DType dtype, const char* matrix) {
    const Case at{.kernel = {"test", variant, dtype}, .at = {{"model", "8b"}, {"matrix", matrix}}};
    return named("gemv/decode").work(at, {});
  };
  const Work w16 = decode("w16", DType::f16, "kv");
  EXPECT_EQ(w16.bytes_read, 8396800);                              // 2 x 1024 x 4096, and 2 x 4096
  EXPECT_EQ(w16.bytes_written, 2048);                              // 2 x 1024
  EXPECT_EQ(w16.flops, 8388608);                                   // 2 x 1024 x 4096
  EXPECT_EQ(decode("w16", DType::f32, "kv").bytes_read, 8404992);  // 2 x 1024 x 4096, and 4 x 4096
  EXPECT_EQ(decode("w8", DType::f16, "kv").bytes_read, 4204544);   // 1024 x 4096, 2 x 1024, 2 x 4096
  // 1024 x 4096 / 2, 2 x 1024 x 4096 / 128, 2 x 4096
  EXPECT_EQ(decode("w4", DType::f16, "kv").bytes_read, 2170880);
  EXPECT_EQ(decode("w4", DType::f32, "down").bytes_read, 31252480);  // 29360128 + 4 x 458752 + 4 x 14336
}

TEST(GemvWork, TakesWholeGroupsOfColumns) {
  const auto work = [](std::int64_t hidden) {
    return named("gemv/decode")
        .work({.kernel = {"test", "w4", DType::f16}, .at = {{"model", hidden}, {"matrix", "qo"}}}, {});
  };
  EXPECT_GT(work(256).bytes(), 0);
  EXPECT_THROW((void)work(200), Skipped);
}

TEST(GemmWork, OfNoModelThatThereIsIsSkipped) {
  const auto why = [](const AxisValue& model, const char* matrix) -> std::string {
    try {
      (void)layer_at("gemm/mlp", model, matrix, 1);
    } catch (const Skipped& e) {
      return e.what();
    }
    return "not at all";
  };
  EXPECT_EQ(why("13b", "up"), "there is no model 13b; take 8b, 70b, or an integer, the hidden size of another");
  EXPECT_EQ(why(0, "up"), "the hidden size of a model has to be at least 1");
  EXPECT_EQ(why("8b", "gate"), "no layer has a matrix gate; take qo, kv, up or down");
}

Work load_at(const AxisValue& footprint, const char* backend = "cpu") {
  DeviceInfo device = with_cache(32 << 20);
  device.backend = backend;
  return named("latency/load")
      .work({.kernel = {backend, "chase", DType::u64}, .at = {{"footprint", footprint}}}, device);
}

TEST(LatencyWork, GoesRoundASmallRingAndLeavesOneStepOut) {
  EXPECT_EQ(load_at(16384).steps, 65535);  // 256 nodes of 64 B, 256 rounds less one step
  EXPECT_EQ(load_at(16384).bytes_read, 524280);
  EXPECT_EQ(load_at(100'000).steps, 65645);  // 1563 nodes, 42 rounds are 65646
  EXPECT_EQ(load_at(64).steps, 65535) << "one node";
}

TEST(LatencyWork, IsAsManyStepsOfALargeRing) {
  EXPECT_EQ(load_at(4'194'304).steps, 65535) << "65536 nodes";
  EXPECT_EQ(load_at(8'388'608).steps, 65536);
  EXPECT_EQ(load_at("memory").steps, 65536);
  EXPECT_EQ(load_at(4'194'304, "cuda").steps, 65535) << "32768 nodes of 128 B, two rounds less one step";
}

TEST(LatencyWork, HasARateThatIsBetterWhenLower) {
  EXPECT_EQ(named("latency/load").rate.name, "latency");
  EXPECT_EQ(named("latency/load").rate.better, Better::lower);
  EXPECT_EQ(named("latency/load").rate.amount(load_at(16384)), 65535);
}

TEST(FmaWork, IsTwoMultiplyAddsForEachPairInEveryRound) {
  DeviceInfo device;
  device.units = 3;
  const Case at{.kernel = {"cpu", "baseline", DType::f32}, .at = {{"rounds", 10}}};
  const Work work = named("compute/fma").work(at, device);
  EXPECT_EQ(work.flops, 3932160);         // 3 units x 32768 pairs x 10 rounds x 2 x 2 FLOP
  EXPECT_EQ(work.bytes_written, 786432);  // 3 x 32768 x 2 x 4 B
  EXPECT_EQ(named("compute/fma").ceiling(at, device).name, "f32_fma");
  for (const std::int64_t rounds : {0, -1, 16777217})
    EXPECT_THROW((void)named("compute/fma").work({.kernel = at.kernel, .at = {{"rounds", rounds}}}, device), Skipped);
}

TEST(MatrixWork, IsAHundredAndTwentyEightProductsForEachResultInEveryRound) {
  DeviceInfo device;
  device.units = 3;
  const Case at{.kernel = {"test", "of_a_unit", DType::i8}, .at = {{"rounds", 10}}};
  const Work work = named("compute/matrix").work(at, device);
  EXPECT_EQ(work.flops, 471859200);       // 3 units x 61440 results x 10 rounds x 128 x 2 OP
  EXPECT_EQ(work.bytes_written, 737280);  // 3 x 61440 x 4 B
  EXPECT_THROW((void)named("compute/matrix").work({.kernel = at.kernel, .at = {{"rounds", 2017}}}, device), Skipped);
}

TEST(Benchmarks, AreBoundedByWhatBoundsThem) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
  EXPECT_THAT(names, IsSupersetOf({"gemm/square", "memory/triad"}));
  EXPECT_TRUE(named("gemm/square").probed);
  EXPECT_EQ(named("gemm/square").rate.name, "flop_rate");
  EXPECT_EQ(named("memory/triad").rate.name, "bandwidth");
  EXPECT_THAT(named("gemm/square").modes, ElementsAre(Mode::isolated, Mode::batch));
  EXPECT_THAT(named("memory/triad").modes, ElementsAre(Mode::batch));
}

/// A kernel of a unit that nobody else has, and one that leaves the unit to its type.
const Implements<ops::Gemm> of_a_unit{{.id = {"test", "of_a_unit", DType::f32}, .unit = "tf32_matrix"}};
const Implements<ops::Gemm> of_a_type{{.id = {"test", "of_a_type", DType::f32}}};

TEST(GemmCeiling, IsOfTheUnitThatTheKernelNamesElseOfItsType) {
  const auto ceiling = [](const char* variant, const std::vector<std::string>& stated) {
    DeviceInfo device;
    for (const std::string& name : stated) device.ceilings[name] = {};
    return named("gemm/square").ceiling({.kernel = {"test", variant, DType::f32}}, device);
  };
  EXPECT_EQ(ceiling("of_a_unit", {"f32_fma"}).name, "tf32_matrix");
  EXPECT_EQ(ceiling("of_a_type", {"f32_fma", "f32_matrix", "f64_fma"}).name, "f32_fma");
  EXPECT_EQ(ceiling("of_a_type", {"f64_matrix"}).name, "");
  EXPECT_THAT(ceiling("of_a_type", {"f64_matrix"}).why_none, HasSubstr("f32"));
}

Work transfer_at(const char* name, const char* direction) {
  const Case at{
      .kernel = {"cpu", "warm", DType::u8},
      .at = {{"direction", std::string(direction)}, {"node", std::string("near")}, {"bytes", std::int64_t{4096}}}};
  return named(name).work(at, with_cache(32 << 20));
}

TEST(TransferWork, CountsAByteThatIsCopiedOnceAsTheDeviceSeesIt) {
  EXPECT_EQ(transfer_at("transfer/copy", "h2d").bytes_written, 4096);
  EXPECT_EQ(transfer_at("transfer/copy", "h2d").bytes(), 4096);
  EXPECT_EQ(transfer_at("transfer/copy", "d2h").bytes_read, 4096);
  EXPECT_EQ(transfer_at("transfer/copy", "d2h").bytes(), 4096);
  EXPECT_EQ(transfer_at("transfer/copy", "both").bytes(), 2 * 4096);
  EXPECT_EQ(transfer_at("transfer/overlap", "h2d").bytes_written, 4096);
  EXPECT_EQ(transfer_at("transfer/pin", "h2d").steps, 1) << "one making, however large";
}

TEST(Benchmarks, AreComplete) {
  for (const Benchmark& benchmark : benchmarks()) {
    EXPECT_NE(benchmark.about, "") << benchmark.name;
    EXPECT_FALSE(benchmark.axes.empty()) << benchmark.name;
    EXPECT_FALSE(benchmark.modes.empty()) << benchmark.name;
    EXPECT_NE(benchmark.work, nullptr) << benchmark.name;
    EXPECT_NE(benchmark.ceiling, nullptr) << benchmark.name;
    EXPECT_NE(benchmark.job, nullptr) << benchmark.name;
    // A CPU has no queue of launches, no graph of them, and no copy that goes on beside it.
    const std::set<std::string> only_of_gpus{"launch/back_to_back", "launch/graph", "transfer/overlap"};
    if (only_of_gpus.contains(benchmark.name)) continue;
    EXPECT_FALSE(cases_of(benchmark, "cpu").empty()) << benchmark.name << " has a baseline on every machine";
    for (const Case& at : cases_of(benchmark, "cpu"))
      EXPECT_GT(benchmark.rate.amount(benchmark.work(at, with_cache(1 << 20))), 0);
  }
}

Work layer_at(const char* layer, const char* pass, DType dtype) {
  const Case at{.kernel = {"cpu", "onednn", dtype},
                .at = {{"layer", std::string(layer)}, {"pass", std::string(pass)}, {"batch", std::int64_t{2}}}};
  return named("convolution/resnet50").work(at, with_cache(32 << 20));
}

TEST(ConvolutionWork, IsThatOfADirectConvolutionInEveryPass) {
  // res3_3x3_s2 of two images: x 2 x 56 x 56 x 128 = 802816, filters 128 x 3 x 3 x 128 = 147456,
  // y 2 x 28 x 28 x 128 = 200704; each of y's takes 128 x 9 = 1152 multiply-adds: 2 x 1152 x 200704 = 462422016.
  for (const char* const pass : {"fprop", "dgrad", "wgrad"})
    EXPECT_EQ(layer_at("res3_3x3_s2", pass, DType::f32).flops, 462422016) << pass;
  const Work forward = layer_at("res3_3x3_s2", "fprop", DType::f32);
  EXPECT_EQ(forward.bytes_read, 4 * (802816 + 147456));
  EXPECT_EQ(forward.bytes_written, 4 * 200704);
  const Work of_data = layer_at("res3_3x3_s2", "dgrad", DType::bf16);
  EXPECT_EQ(of_data.bytes_read, 2 * (200704 + 147456));
  EXPECT_EQ(of_data.bytes_written, 2 * 802816);
  EXPECT_EQ(layer_at("res3_3x3_s2", "wgrad", DType::f32).bytes_written, 4 * 147456);
}

}  // namespace
}  // namespace warpmark
