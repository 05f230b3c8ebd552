// SPDX-License-Identifier: Apache-2.0
#include "harness/core/benchmark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/harness/measure/scripted_device.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Op {};

Bound bind_nothing(Stream&, const Op&) { return {}; }

const Implements<Op> fast{{.id = {"red", "fast", DType::f32}, .bind = bind_nothing}};
const Implements<Op> blue{{.id = {"blue", "only", DType::f64}, .bind = bind_nothing}};
const Implements<Op> slow{{.id = {"red", "slow", DType::f64},
                           .bind = bind_nothing,
                           .unsupported = [](const Device&, const Case& at) { return "not at " + text_of(at["n"]); }}};

Benchmark sweep() {
  return {.name = "family/sweep",
          .axes = {{.name = "n", .values = {1, 2}}, {.name = "direction", .values = {"up"}}},
          .modes = {Mode::isolated, Mode::batch},
          .kernels = table_of<Op>()};
}

std::vector<std::string> ids_of(const Benchmark& benchmark, std::string_view backend) {
  std::vector<std::string> ids;
  for (const Case& at : cases_of(benchmark, backend)) ids.push_back(id_of(benchmark, at, "red:0"));
  return ids;
}

TEST(CasesOf, AreInOrderOfKernelModeAndAxes) {
  EXPECT_THAT(
      ids_of(sweep(), "red"),
      ElementsAre("family/sweep/red:0/fast/f32/n=1/direction=up", "family/sweep/red:0/fast/f32/n=2/direction=up",
                  "family/sweep/red:0/fast/f32/n=1/direction=up/mode=batch",
                  "family/sweep/red:0/fast/f32/n=2/direction=up/mode=batch",
                  "family/sweep/red:0/slow/f64/n=1/direction=up", "family/sweep/red:0/slow/f64/n=2/direction=up",
                  "family/sweep/red:0/slow/f64/n=1/direction=up/mode=batch",
                  "family/sweep/red:0/slow/f64/n=2/direction=up/mode=batch"));
}

TEST(CasesOf, AreOfOneBackend) {
  EXPECT_THAT(cases_of(sweep(), "blue"), SizeIs(4));
  EXPECT_THAT(cases_of(sweep(), "green"), IsEmpty());
}

TEST(CasesOf, AreNoneForAnAxisWithoutValues) {
  Benchmark benchmark = sweep();
  benchmark.axes[0].values.clear();
  EXPECT_THAT(cases_of(benchmark, "red"), IsEmpty());
}

TEST(CasesOf, AreOnePerKernelAndModeWithoutAxes) {
  Benchmark benchmark = sweep();
  benchmark.axes.clear();
  EXPECT_THAT(ids_of(benchmark, "blue"),
              ElementsAre("family/sweep/red:0/only/f64", "family/sweep/red:0/only/f64/mode=batch"));
}

TEST(IdOf, LeavesOutTheFirstModeWhicheverItIs) {
  Benchmark benchmark = sweep();
  const Case batch{.kernel = {"red", "fast", DType::f32}, .mode = Mode::batch};
  EXPECT_EQ(id_of(benchmark, batch, "red:3"), "family/sweep/red:3/fast/f32/mode=batch");
  benchmark.modes = {Mode::batch, Mode::isolated};
  EXPECT_EQ(id_of(benchmark, batch, "red:3"), "family/sweep/red:3/fast/f32");
  const Case isolated{.kernel = {"red", "fast", DType::f32}, .mode = Mode::isolated};
  EXPECT_EQ(id_of(benchmark, isolated, "red:3"), "family/sweep/red:3/fast/f32/mode=isolated");
}

TEST(Case, KnowsItsAxesByName) {
  const Case at{.at = {{"n", 4096}, {"direction", "up"}}};
  EXPECT_EQ(at.integer("n"), 4096);
  EXPECT_EQ(text_of(at["n"]), "4096");
  EXPECT_EQ(text_of(at["direction"]), "up");
  EXPECT_THROW((void)at["m"], std::out_of_range);
  EXPECT_THROW((void)at.integer("direction"), std::bad_variant_access);
}

TEST(FamilyOf, IsWhatStandsBeforeTheSlash) {
  EXPECT_EQ(family_of("memory/triad"), "memory");
  EXPECT_EQ(family_of("memory/triad/wide"), "memory");
  EXPECT_EQ(family_of("gemm"), "gemm");
}

TEST(KernelTable, NamesTheKernelsAndPassesOnTheirReasons) {
  EXPECT_THAT(table_of<Op>().ids(), SizeIs(3));
  EXPECT_EQ(kernel_of<Op>({"blue", "only", DType::f64}).bind, &bind_nothing);
  EXPECT_THROW((void)kernel_of<Op>({"blue", "only", DType::f32}), std::logic_error);
  const ScriptedDevice device;
  const Case slow_case{.kernel = {"red", "slow", DType::f64}, .at = {{"n", 7}}};
  EXPECT_EQ(table_of<Op>().unsupported(device, slow_case), "not at 7");
  EXPECT_EQ(table_of<Op>().unsupported(device, Case{.kernel = {"red", "fast", DType::f32}}), "");
}

TEST(Registry, IsSortedAndRefusesANameThatIsTaken) {
  const Registered second{{.name = "zz/second"}};
  const Registered first{{.name = "aa/first", .quiet = true}};
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
  EXPECT_THAT(names, ElementsAre("aa/first", "zz/second"));
  EXPECT_THROW(Registered{{.name = "aa/first"}}, std::logic_error);
  EXPECT_THROW(Registered{{.name = "zz/second"}}, std::logic_error);
  EXPECT_THAT(benchmarks(), SizeIs(2));
  EXPECT_TRUE(benchmarks()[0].quiet);
  EXPECT_FALSE(benchmarks()[1].quiet) << "loud unless it says otherwise";
}

}  // namespace
}  // namespace warpmark
