// SPDX-License-Identifier: Apache-2.0
#include "reports/render/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/render/chart.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<Chart> charts_for(const std::vector<Record>& records) {
  const std::vector documents{made_document(records)};
  return charts_of(results_of(documents, {}));
}

std::vector<std::string> titles_for(const std::vector<Record>& records) {
  std::vector<std::string> titles;
  for (const Chart& chart : charts_for(records)) titles.push_back(chart.title);
  return titles;
}

std::vector<std::string> best_of(const Chart& chart) {
  std::vector<std::string> best;
  for (const json& row : chart.spec["data"]["values"])
    if (row["kind"] == "case" && row["best"] == true) best.push_back(row["case"]);
  return best;
}

Record chase(const char* variant, AxisValue footprint, double seconds) {
  Record record = made_record({.benchmark = "latency/load",
                               .variant = variant,
                               .size = std::move(footprint),
                               .value = seconds,
                               .metric = "latency"});
  record.about["operand_bytes"] = 1U << 30;
  return record;
}

Record peak(const char* benchmark, DType dtype, double value) {
  Record record = made_record({.benchmark = benchmark, .variant = "fma", .value = value, .metric = "flop_rate"});
  record.at.kernel.dtype = dtype;
  record.at.at.clear();
  record.id += name_of(dtype);
  return record;
}

Record convolution(const char* layer, const char* pass, const char* variant, double value) {
  Record record =
      made_record({.benchmark = "convolution/resnet50", .variant = variant, .value = value, .metric = "flop_rate"});
  record.at.at = {{"layer", std::string(layer)}, {"pass", std::string(pass)}, {"batch", std::int64_t{8}}};
  record.id += std::string(layer) + pass;
  return record;
}

TEST(Sweeps, LatencyIsALineOfItsOwnWhoseBestIsTheLowest) {
  const std::vector<Chart> charts =
      charts_for({chase("chase", std::int64_t{16384}, 1.2e-9), chase("slow", std::int64_t{16384}, 9e-9),
                  chase("chase", "memory", 95e-9), made_record({.size = 16384})});
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[1].title, "Latency over footprint");
  EXPECT_EQ(charts[1].spec["encoding"]["y"]["title"], "Latency, log scale (ns)");
  EXPECT_EQ(charts[1].spec["encoding"]["x"]["title"], "Footprint of the chain");
  EXPECT_THAT(best_of(charts[1]), ElementsAre("load f64 chase", "load f64 chase"));
  EXPECT_THAT(charts[1].description, HasSubstr("The best is 1.20 ns"));
  EXPECT_EQ(charts[1].spec["data"]["values"].at(2)["x"], 0x1p30) << "main memory lies at the bytes of the chain";
  EXPECT_THAT(charts[0].spec.dump(), Not(HasSubstr("chase")));
}

TEST(Sweeps, ModelLayersStandOverTokensAndSquaresOverTheirSize) {
  const auto product = [](const char* benchmark, const char* axis, std::int64_t size) {
    return made_record({.benchmark = benchmark, .axis = axis, .size = size, .value = 2e12, .metric = "flop_rate"});
  };
  EXPECT_THAT(titles_for({product("gemm/mlp", "tokens", 1), product("gemm/mlp", "tokens", 512),
                          product("gemm/square", "n", 512), product("gemm/square", "n", 1024)}),
              ElementsAre("Matrix products over size", "Products of model layers over tokens"));
}

TEST(Sweeps, AnOperationOfOneSizeIsNotShownAlone) {
  const auto first = [](std::int64_t second_size) {
    const auto product = [](const char* benchmark, std::int64_t tokens) {
      return made_record({.benchmark = benchmark, .axis = "tokens", .size = tokens, .metric = "flop_rate"});
    };
    return charts_for({product("gemm/mlp", 1), product("gemm/mlp", second_size), product("gemm/projection", 512)})
        .at(0)
        .spec["params"][0]["value"];
  };
  EXPECT_EQ(first(16), "mlp");
  EXPECT_EQ(first(1), "all");
}

TEST(Sweeps, WhatNoLineJoinsIsBarsByFamily) {
  const std::vector<Chart> charts =
      charts_for({peak("compute/fma", DType::f32, 60e12), peak("compute/fma", DType::f64, 30e12),
                  peak("compute/matrix", DType::f16, 900e12), convolution("conv1", "fprop", "cudnn", 5e12),
                  convolution("conv1", "fprop", "cudnn-first", 4e12), convolution("res2", "wgrad", "cudnn", 3e12)});
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].title, "Compute units");
  EXPECT_TRUE(charts[0].bars);
  EXPECT_THAT(best_of(charts[0]), UnorderedElementsAre("fma f32 fma", "fma f64 fma", "matrix f16 fma"));
  EXPECT_EQ(charts[1].title, "Convolution layers");
  EXPECT_EQ(charts[1].table["sizes"], json::array({"median"})) << "not a column for each layer";
  EXPECT_EQ(charts[1].table["rows"].size(), 3U);
  EXPECT_THAT(best_of(charts[1]), UnorderedElementsAre("conv1 fprop f64 cudnn", "res2 wgrad f64 cudnn"));
}

TEST(Sweeps, OtherModelsAreOtherQuestionsAndOtherModesOtherVariants) {
  const auto layer = [](const char* model, std::int64_t tokens, double value) {
    Record record = made_record({.benchmark = "gemm/mlp", .value = value, .metric = "flop_rate"});
    record.at.at = {{"model", std::string(model)}, {"tokens", tokens}};
    record.id += model + std::to_string(tokens);
    return record;
  };
  const std::vector<Chart> lines = charts_for({layer("8b", 1, 1e9), layer("8b", 16, 9e9), layer("70b", 16, 8e9)});
  EXPECT_THAT(best_of(lines.at(0)), UnorderedElementsAre("mlp 8b f64 plain", "mlp 8b f64 plain", "mlp 70b f64 plain"));
  Record isolated = convolution("conv1", "fprop", "onednn", 4e12);
  isolated.at.mode = Mode::isolated;
  isolated.id += "/mode=isolated";
  const std::vector<Chart> bars = charts_for({convolution("conv1", "fprop", "onednn", 5e12), isolated});
  EXPECT_THAT(best_of(bars.at(0)), ElementsAre("resnet50 f64 onednn, batch"));
}

TEST(Sweeps, BarsThatNobodyCouldReadAreNotDrawn) {
  const auto bars = [](int layers) {
    std::vector<Record> records;
    for (int i = 0; i < layers; ++i) records.push_back(convolution(std::to_string(i).c_str(), "fprop", "cudnn", 1e12));
    records.push_back(convolution("0", "wgrad", "cudnn", 1e12));
    records.back().at.kernel.dtype = DType::f16;
    records.back().id += "f16";
    return charts_for(records);
  };
  EXPECT_EQ(bars(10).at(0).spec["params"][1]["value"], "all");
  EXPECT_EQ(bars(70).at(0).spec["params"][1]["value"], "f64") << "of one type at first";
  EXPECT_EQ(bars(399).size(), 1U);
  EXPECT_THAT(bars(400), IsEmpty());
}

TEST(Sweeps, AFamilyThatALineShowsHasNoBars) {
  EXPECT_THAT(titles_for({made_record({.size = 1024}), made_record({.size = 2048})}),
              ElementsAre("Bandwidth over footprint"));
  EXPECT_THAT(titles_for({}), IsEmpty());
}

}  // namespace
}  // namespace warpmark
