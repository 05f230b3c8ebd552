// SPDX-License-Identifier: Apache-2.0
// Which bands a device and a number have: a name that is nearly a model's is another model.
#include "harness/reference/bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "harness/reference/band_units.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

std::string model_of(const std::string& name) {
  const GpuBands* const found = own_bands().find(name);
  return found == nullptr ? "none" : found->model;
}

TEST(Names, AreThoseThatDriversWrite) {
  EXPECT_EQ(model_of("NVIDIA H100 80GB HBM3"), "H100 SXM");
  EXPECT_EQ(model_of("NVIDIA H100 PCIe"), "H100 PCIe");
  EXPECT_EQ(model_of("NVIDIA A100-SXM4-80GB"), "A100 SXM 80 GB");
  EXPECT_EQ(model_of("NVIDIA A100-SXM4-40GB"), "A100 SXM 40 GB");
  EXPECT_EQ(model_of("NVIDIA A100 80GB PCIe"), "A100 PCIe 80 GB");
  EXPECT_EQ(model_of("NVIDIA GeForce RTX 4090"), "RTX 4090");
  EXPECT_EQ(model_of("NVIDIA H200"), "H200");
}

TEST(Names, MakerCapitalsAndHyphensAreNoDifference) {
  for (const char* name : {"H200", "nvidia h200", " NVIDIA  H200 ", "NVIDIA-H200"})
    EXPECT_EQ(model_of(name), "H200") << name;
  EXPECT_EQ(model_of("A100 SXM4 80GB"), "A100 SXM 80 GB");
  EXPECT_EQ(plain_name("Tesla T4"), plain_name("NVIDIA T4"));
}

TEST(Names, OfOtherCardsMatchNothing) {
  for (const char* name :
       {"NVIDIA H100 80GB HBM3 MIG 1g.10gb", "NVIDIA A100-SXM4-80GB MIG 3g.40gb", "NVIDIA H100", "NVIDIA H100 NVL",
        "NVIDIA H100 80GB HBM2e", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA L40S",
        "NVIDIA L40-12Q", "NVIDIA H200 NVL", "NVIDIA GH200 120GB", "NVIDIA H2000", "", " ", "NVIDIA", "nvidia "})
    EXPECT_EQ(model_of(name), "none") << name;
}

TEST(Names, ThatAreHostileMatchNothing) {
  for (const std::string& name : {std::string("\x1b[2J"), std::string("NVIDIA H200\0", 12), std::string(1 << 20, '-'),
                                  std::string("NVIDIA H200\n"), std::string("\xff\xfe"), std::string(".*")})
    EXPECT_EQ(model_of(name), "none");
}

Band band_with(const std::string& more, const std::string& benchmarks = "memory/triad") {
  const std::string text =
      "schema = \"warpmark.bands/1\"\n[[gpu]]\nmodel = \"X\"\nnames = [\"X\"]\n[[gpu.band]]\nmetric = \"bandwidth\"\n"
      "unit = \"GB/s\"\nlow = 1\nhigh = 2\nsource = \"s\"\ndate = \"d\"\nbenchmarks = \"" +
      benchmarks + "\"\n" + more;
  return parse_bands(text, "x.toml").front().bands.front();
}

TEST(Band, IsAboutBenchmarkMetricArithmeticPlaceAndSize) {
  const Record at_memory = made_record({.size = "memory"}), small = made_record({.size = std::int64_t{4096}});
  EXPECT_TRUE(band_with("").is_about(at_memory, "bandwidth"));
  EXPECT_FALSE(band_with("").is_about(at_memory, "latency"));
  EXPECT_TRUE(band_with("arithmetic = \"f64\"").is_about(at_memory, "bandwidth"));
  EXPECT_FALSE(band_with("arithmetic = \"f32\"").is_about(at_memory, "bandwidth"));
  const Band placed = band_with("where = {footprint = \"memory\"}");
  EXPECT_TRUE(placed.is_about(at_memory, "bandwidth"));
  EXPECT_FALSE(placed.is_about(small, "bandwidth"));
  EXPECT_FALSE(band_with("where = {layer = \"memory\"}").is_about(at_memory, "bandwidth"));
  EXPECT_TRUE(band_with("where = {footprint = 4096}").is_about(small, "bandwidth"));
  EXPECT_TRUE(band_with("at_least = {footprint = 4096}").is_about(small, "bandwidth"));
  EXPECT_FALSE(band_with("at_least = {footprint = 4097}").is_about(small, "bandwidth"));
  EXPECT_FALSE(band_with("at_least = {footprint = 1}").is_about(at_memory, "bandwidth")) << "a word is no size";
}

TEST(Band, HasAPatternForTheWholeNameOfABenchmark) {
  const auto is_about = [](const std::string& pattern, const std::string& benchmark) {
    return band_with("", pattern).is_about(made_record({.benchmark = benchmark}), "bandwidth");
  };
  EXPECT_TRUE(is_about("memory/(copy|scale)", "memory/scale"));
  EXPECT_TRUE(is_about("memory/.*", "memory/scale"));
  EXPECT_FALSE(is_about("memory/read", "memory/read_random"));
  EXPECT_FALSE(is_about("triad", "memory/triad"));
  EXPECT_FALSE(is_about(".*", std::string(201, 'a'))) << "no benchmark of ours";
  EXPECT_TRUE(is_about(".*", std::string(200, 'a')));
}

TEST(Band, IsKeptInTheUnitOfTheMetric) {
  const Band band = band_with("");
  EXPECT_EQ(band.unit, "B/s");
  EXPECT_EQ(band.low, 1e9);
  EXPECT_EQ(band.high, 2e9);
}

TEST(Units, AreThoseOfMetrics) {
  const std::array<std::tuple<const char*, double, const char*>, 8> units{{{"B/s", 1, "B/s"},
                                                                           {"kB/s", 1e3, "B/s"},
                                                                           {"TFLOP/s", 1e12, "FLOP/s"},
                                                                           {"POP/s", 1e15, "OP/s"},
                                                                           {"MHz", 1e6, "Hz"},
                                                                           {"us", 1e-6, "s"},
                                                                           {"ns", 1e-9, "s"},
                                                                           {"s", 1, "s"}}};
  for (const auto& [name, factor, metric] : units) {
    const auto unit = band_unit_named(name);
    ASSERT_TRUE(unit) << name;
    EXPECT_EQ(unit->factor, factor) << name;
    EXPECT_EQ(unit->metric, metric) << name;
  }
  for (const char* name : {"", "GB", "gB/s", "GiB/s", "ks", "GGB/s", "TFLOPS", "FLOP", "B/s "})
    EXPECT_FALSE(band_unit_named(name)) << name;
}

TEST(Units, LoseNoBit) {
  EXPECT_EQ(band_unit_named("us")->of(20), 20e-6);
  EXPECT_EQ(band_unit_named("ns")->of(7), 7e-9);
  EXPECT_EQ(band_unit_named("GB/s")->of(4500.5), 4500.5e9);
}

TEST(OwnBands, EachHaveSourceDateAndConditions) {
  ASSERT_GE(own_bands().gpus().size(), 10U);
  for (const GpuBands& gpu : own_bands().gpus()) {
    EXPECT_EQ(gpu.file, "");
    for (const Band& band : gpu.bands) {
      EXPECT_FALSE(band.source.empty() || band.date.empty() || band.conditions.empty()) << gpu.model << band.line;
      EXPECT_GT(band.low, 0.5 * band.high) << gpu.model << ", line " << band.line << ": a band so wide says nothing";
    }
  }
}

TEST(OwnBands, KnowEachMetricInItsUnit) {
  for (const GpuBands& gpu : own_bands().gpus())
    for (const Band& band : gpu.bands)
      EXPECT_EQ(band.unit, band.metric == "bandwidth" ? "B/s" : "FLOP/s") << gpu.model << ", line " << band.line;
}

TEST(UsersBands, ComeBeforeTheProgramsOwn) {
  const BandTable table = bands_with(
      "schema = \"warpmark.bands/1\"\n[[gpu]]\nmodel = \"mine\"\nnames = [\"NVIDIA H200\", \"Other\"]\n[[gpu.band]]\n"
      "benchmarks = \"x\"\nmetric = \"latency\"\nunit = \"ns\"\nlow = 1\nhigh = 2\nsource = \"s\"\ndate = \"d\"\n",
      "mine.toml");
  EXPECT_EQ(table.find("NVIDIA H200")->model, "mine");
  EXPECT_EQ(table.find("NVIDIA H200")->file, "mine.toml");
  EXPECT_EQ(table.find("other")->model, "mine");
  EXPECT_EQ(table.find("NVIDIA L40")->model, "L40") << "the others stay";
  EXPECT_EQ(own_bands().find("Other"), nullptr);
}

}  // namespace
}  // namespace warpmark
