// SPDX-License-Identifier: Apache-2.0
#include "reports/render/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "reports/render/ceiling_labels.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<json> rows_of(const Chart& chart, const std::string& kind) {
  std::vector<json> rows;
  for (const json& row : chart.spec["data"]["values"])
    if (row["kind"] == kind) rows.push_back(row);
  return rows;
}

std::vector<Chart> charts_for(const std::vector<Document>& documents) { return charts_of(results_of(documents, {})); }
std::vector<Chart> charts_for(const Document& document) { return charts_for(std::vector{document}); }

json param_of(const Chart& chart, const std::string& name) {
  for (const json& param : chart.spec["params"])
    if (param["name"] == name) return param;
  return nullptr;
}

Record of_type(Record record, DType dtype) {
  record.at.kernel.dtype = dtype;
  record.id += "/" + std::string(name_of(dtype));
  return record;
}

TEST(Charts, DrawTheMedianAndTheRangeOfUsableRepeats) {
  const Document document =
      made_document({made_record({.value = 280e9}), made_record({.repeat = 1, .value = 270e9}),
                     made_record({.repeat = 2, .value = 260e9}), made_record({.repeat = 3, .status = Status::failed})});
  const std::vector<Chart> charts = charts_for(document);
  ASSERT_EQ(charts.size(), 1U);
  const std::vector<json> points = rows_of(charts[0], "case");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0]["value"], 270.0);
  EXPECT_EQ(points[0]["low"], 260.0);
  EXPECT_EQ(points[0]["high"], 280.0);
  EXPECT_EQ(points[0]["x"], 16384.0);
  EXPECT_EQ(points[0]["size"], "16 KiB");
  EXPECT_EQ(points[0]["operation"], "triad");
  EXPECT_EQ(charts[0].spec["encoding"]["x"]["title"], "Bandwidth (GB/s)");
}

TEST(Charts, HoldNothingOfTheTemplatesSample) {
  const Record small = made_record({.variant = "mine", .size = 4096, .value = 3e12});
  const Record large = made_record({.variant = "mine", .size = 8192, .value = 2e12});
  for (const Document& document : {made_document({small, large}), made_document({small})}) {
    const std::string spec = charts_for(document).at(0).spec.dump();
    for (const char* sample : {"copy", "L1 64 KiB", "gemm", "cublaslt"}) EXPECT_THAT(spec, Not(HasSubstr(sample)));
    EXPECT_THAT(spec, HasSubstr("(TB/s)"));
  }
  EXPECT_THAT(empty_template("order.vl.json")["data"]["values"], testing::IsEmpty());
}

TEST(Charts, MarkTheBestVariantAtEachSize) {
  const Document document =
      made_document({made_record({.size = 1024, .value = 9e9}), made_record({.size = 2048, .value = 2e9}),
                     made_record({.variant = "nt", .size = 1024, .value = 5e9}),
                     made_record({.variant = "nt", .size = 2048, .value = 3e9})});
  std::vector<std::string> best;
  for (const json& row : rows_of(charts_for(document).at(0), "case"))
    if (row["best"] == true) best.push_back(row["size"].get<std::string>() + " " + row["variant"].get<std::string>());
  EXPECT_THAT(best, testing::UnorderedElementsAre("1 KiB plain", "2 KiB nt"));
}

TEST(Charts, StartWithEveryOperationOfTheWidestTypeByItsBestVariant) {
  const Document document =
      made_document({made_record({}), made_record({.variant = "nt"}), made_record({.benchmark = "memory/copy"}),
                     of_type(made_record({.benchmark = "memory/copy"}), DType::f32)});
  const Chart chart = charts_for(document).at(0);
  EXPECT_EQ(param_of(chart, "operation")["value"], "all");
  EXPECT_EQ(param_of(chart, "operation")["bind"]["options"], json::parse(R"(["all", "copy", "triad"])"));
  EXPECT_EQ(param_of(chart, "dtype")["value"], "f64");
  EXPECT_EQ(param_of(chart, "variant")["value"], "best");
  EXPECT_EQ(param_of(chart, "variant")["bind"]["options"], json::parse(R"(["best", "all", "plain", "nt"])"));
}

TEST(Charts, OfSeveralResultsStartWithOneOperationAndNameLinesByLetter) {
  const Document document = made_document({made_record({}), made_record({.benchmark = "memory/copy"})});
  const Chart chart = charts_for(std::vector{document, document}).at(0);
  EXPECT_EQ(param_of(chart, "operation")["value"], "triad");
  EXPECT_EQ(param_of(chart, "results")["value"], 2);
  EXPECT_EQ(rows_of(chart, "case").back()["result"], "B");
  EXPECT_THAT(rows_of(chart, "case").back()["case"].get<std::string>(), HasSubstr("B: "));
}

TEST(Charts, OfferNoChoiceWhereThereIsNone) {
  const Chart chart = charts_for(made_document({made_record({})})).at(0);
  for (const char* name : {"operation", "dtype", "variant"})
    EXPECT_FALSE(param_of(chart, name).contains("bind")) << name;
}

TEST(Charts, PlaceMainMemoryAtTheBytesOfALaunchAndMarkTheCaches) {
  Document document = made_document({made_record({.size = "memory"}), made_record({.size = 16384})});
  document.devices[0]["units"] = 2;
  document.devices[0]["facts"] = {{"l1d_bytes_per_core", 32768}, {"l2_bytes_per_core", 1048576}};
  document.devices[0]["last_level_cache_bytes"] = 33554432;
  const Chart chart = charts_for(document).at(0);
  EXPECT_NEAR(rows_of(chart, "case")[1]["x"].get<double>(), 3e9, 3e7);
  EXPECT_EQ(rows_of(chart, "case")[1]["size"], "main memory");
  std::vector<std::string> labels;
  for (const json& row : rows_of(chart, "cache")) labels.push_back(row["label"]);
  EXPECT_THAT(labels, ElementsAre("L1 64 KiB", "L2 2 MiB", "L3 32 MiB"));
}

TEST(Charts, LeaveOutACacheThatNoSizeComesNear) {
  EXPECT_TRUE(rows_of(charts_for(made_document({made_record({.size = 16384})})).at(0), "cache").empty());
}

TEST(Charts, NameTheResultOfACacheThatTheFirstDoesNotHave) {
  Document small = made_document({made_record({.size = 16384}), made_record({.size = 1 << 30})});
  Document large = small;
  small.devices[0]["last_level_cache_bytes"] = 1 << 20;
  large.devices[0]["last_level_cache_bytes"] = 1 << 26;
  const std::vector<json> caches = rows_of(charts_for(std::vector{small, large, small}).at(0), "cache");
  ASSERT_EQ(caches.size(), 2U);
  EXPECT_EQ(caches[0]["label"], "last-level cache 1 MiB");
  EXPECT_EQ(caches[1]["label"], "B: last-level cache 64 MiB");
  EXPECT_NE(caches[0]["row"], caches[1]["row"]);
}

TEST(Charts, DrawTheCeilingOfATypeOnce) {
  Made made{
      .benchmark = "gemm/square", .axis = "n", .size = 512, .value = 100e9, .ceiling = 268e9, .metric = "flop_rate"};
  Made larger = made;
  larger.size = 1024;
  const Document document = made_document({made_record(made), made_record(larger)});
  const std::vector<json> ceilings = rows_of(charts_for(document).at(0), "ceiling");
  ASSERT_EQ(ceilings.size(), 1U);
  EXPECT_EQ(ceilings[0]["value"], 268.0);
  EXPECT_EQ(ceilings[0]["text"], "f64 ceiling");
  EXPECT_EQ(ceilings[0]["label"], "ceiling 268 GFLOP/s (derived)");
  Document other = document;
  for (Record& record : other.records) record.metrics[0].ceiling = 300e9;
  const std::vector<json> both = rows_of(charts_for(std::vector{document, other}).at(0), "ceiling");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1]["text"], "B f64 ceiling");
}

Record product(DType dtype, double value, double ceiling, std::int64_t n = 512) {
  return of_type(made_record({.benchmark = "gemm/square",
                              .axis = "n",
                              .size = n,
                              .value = value,
                              .ceiling = ceiling,
                              .metric = "flop_rate"}),
                 dtype);
}

TEST(Charts, TakeALogarithmicAxisWhereValuesLieFarApart) {
  const auto scale = [](const std::vector<Record>& records) {
    return charts_for(made_document(records)).at(0).spec["encoding"]["y"]["scale"];
  };
  const std::vector<Record> near{product(DType::f64, 100e9, 0), product(DType::f64, 200e9, 0, 1024)};
  EXPECT_EQ(scale(near), json({{"zero", true}}));
  EXPECT_EQ(scale({near[0], near[1], product(DType::bf16, 3e12, 0)})["type"], "log");
  EXPECT_EQ(scale({near[0], product(DType::f64, 200e9, 3e12, 1024)})["type"], "log") << "a ceiling counts";
  EXPECT_EQ(scale({made_record({.value = 4.4e9}), made_record({.size = 1, .value = 4.8e9})}), json({{"zero", true}}));
  EXPECT_EQ(scale({made_record({.value = 4e9}), made_record({.size = 1, .value = 48e9})})["type"], "log");
}

std::vector<std::string> texts_of(const Chart& chart, const char* which) {
  std::vector<std::string> texts;
  for (const json& row : rows_of(chart, "ceiling")) texts.push_back(row[which]);
  return texts;
}

TEST(Charts, PutLabelsOfCeilingsThatWouldTouchIntoOne) {
  const std::vector<Record> records{product(DType::f16, 700e12, 989e12), product(DType::bf16, 600e12, 1000e12),
                                    product(DType::f64, 50e12, 67e12), product(DType::f64, 40e12, 67e12, 1024)};
  const Chart chart = charts_for(made_document(records)).at(0);
  EXPECT_THAT(texts_of(chart, "joint"), ElementsAre("", "f16, bf16 ceiling", "f64 ceiling"));
  EXPECT_THAT(texts_of(chart, "text"), ElementsAre("bf16 ceiling", "f16 ceiling", "f64 ceiling"))
      << "where a reader chooses one type";
  std::vector<Record> apart = records;
  apart[0].metrics[0].ceiling = 500e12;
  EXPECT_THAT(texts_of(charts_for(made_document(apart)).at(0), "joint"),
              ElementsAre("bf16 ceiling", "f16 ceiling", "f64 ceiling"));
}

TEST(Charts, PutLabelsOfNearCeilingsOfTwoResultsIntoOne) {
  const auto bandwidth = [](double ceiling) {
    return made_document({made_record({.value = 40e9, .ceiling = ceiling}),
                          made_record({.size = 1 << 20, .value = 41e9, .ceiling = ceiling})});
  };
  EXPECT_THAT(texts_of(charts_for(std::vector{bandwidth(48e9), bandwidth(48.5e9)}).at(0), "text"),
              ElementsAre("A, B ceiling", "", "", ""));
  EXPECT_THAT(texts_of(charts_for(std::vector{bandwidth(48e9), bandwidth(60e9)}).at(0), "text"),
              ElementsAre("A ceiling", "", "B ceiling", ""));
}

TEST(CeilingLabels, TouchByTheHeightOfALineOnTheirAxis) {
  const RateAxis linear{.low = 50, .high = 1000}, logarithmic{.low = 1, .high = 1000, .logarithmic = true};
  EXPECT_TRUE(linear.touch(100, 140));
  EXPECT_FALSE(linear.touch(100, 150));
  EXPECT_FALSE(logarithmic.touch(100, 140));
  EXPECT_TRUE(logarithmic.touch(100, 135));
  EXPECT_TRUE((RateAxis{.low = 5, .high = 5, .logarithmic = true}.touch(5, 5)));
}

TEST(Charts, AreBarsWhereThereIsOneSize) {
  const Record one = product(DType::f64, 50e12, 67e12), two = product(DType::bf16, 600e12, 0);
  const Chart bars = charts_for(made_document({one, two})).at(0);
  EXPECT_TRUE(bars.bars);
  EXPECT_EQ(bars.title, "Matrix products at n 512");
  EXPECT_THAT(bars.description, HasSubstr("Bar chart of Matrix products at n 512 on A CPU: 2 cases."));
  EXPECT_EQ(bars.spec["height"], 2 * 48);
  const std::vector<json> rows = rows_of(bars, "case");
  EXPECT_EQ(rows[0]["note"], "50.0 TFLOP/s, 74.6 % of the ceiling");
  EXPECT_EQ(rows[0]["ceiling"], 67.0);
  EXPECT_EQ(rows[1]["note"], "600 TFLOP/s");
  EXPECT_FALSE(rows[1].contains("ceiling"));
  EXPECT_EQ(bars.spec["encoding"]["x"]["title"], "Rate (TFLOP/s); a tick is the ceiling");
  EXPECT_EQ(charts_for(made_document({two})).at(0).spec["layer"].size() + 1, bars.spec["layer"].size())
      << "an empty layer has no extent, and Vega warns of it";
  const Chart lines = charts_for(made_document({one, two, product(DType::f64, 50e12, 67e12, 1024)})).at(0);
  EXPECT_FALSE(lines.bars);
  EXPECT_EQ(lines.title, "Matrix products over size");
  EXPECT_THAT(lines.description, HasSubstr("Line chart of Matrix products over size"));
  EXPECT_EQ(charts_for(made_document({made_record({})})).at(0).title, "Bandwidth at 16 KiB");
}

TEST(Charts, OfBarsShowEveryTypeOfSeveralResults) {
  const Document document = made_document({product(DType::f64, 50e12, 0), product(DType::bf16, 600e12, 0)});
  const Chart bars = charts_for(std::vector{document, document}).at(0);
  EXPECT_EQ(param_of(bars, "dtype")["value"], "all");
  EXPECT_EQ(bars.spec["height"], 4 * 48);
  std::string order;
  for (const json& row : rows_of(bars, "case")) order += row["case"].get<std::string>() + "; ";
  EXPECT_EQ(order, "A: square f64 plain; B: square f64 plain; A: square bf16 plain; B: square bf16 plain; ");
}

TEST(Charts, NameModesWhereThereAreSeveral) {
  const Document document = made_document({made_record({}), made_record({.mode = Mode::isolated})});
  EXPECT_EQ(rows_of(charts_for(document).at(0), "case")[1]["variant"], "plain, batch");
}

TEST(Charts, NameOtherAxesWhereTheyTellPointsApart) {
  const auto skinny = [](std::int64_t m) {
    Record record = made_record({.benchmark = "gemm/skinny", .axis = "n", .size = 512, .metric = "flop_rate"});
    record.at.at.emplace_back("m", m);
    record.id += "/m=" + std::to_string(m);
    return record;
  };
  EXPECT_EQ(rows_of(charts_for(made_document({skinny(16), skinny(32)})).at(0), "case")[0]["variant"], "plain, m 16");
  EXPECT_EQ(rows_of(charts_for(made_document({skinny(16)})).at(0), "case")[0]["variant"], "plain");
}

TEST(Charts, KeepFamiliesWithTheSameOperationApart) {
  const Document document = made_document({made_record({}), made_record({.benchmark = "shared/triad"})});
  EXPECT_EQ(rows_of(charts_for(document).at(0), "case")[0]["operation"], "memory/triad");
}

TEST(Charts, HaveATableOfEveryNumber) {
  const Document document =
      made_document({made_record({.size = 1024, .value = 9e9}), made_record({.size = 2048, .value = 2e9}),
                     made_record({.variant = "nt", .size = 2048, .value = 3e9})});
  const json table = charts_for(document).at(0).table;
  EXPECT_EQ(table["sizes"], json::parse(R"(["1 KiB", "2 KiB"])"));
  ASSERT_EQ(table["rows"].size(), 2U);
  EXPECT_EQ(
      table["rows"][0],
      json::parse(
          R"({"name": "triad f64 plain", "cells": [{"text": "9", "best": true}, {"text": "2", "best": false}]})"));
  EXPECT_EQ(table["rows"][1]["cells"][0]["text"], "");
}

TEST(Charts, AreNotMadeOfNothing) {
  EXPECT_TRUE(charts_for(made_document({})).empty());
  EXPECT_TRUE(charts_for(std::vector<Document>{}).empty());
  EXPECT_TRUE(charts_for(made_document({made_record({.status = Status::failed})})).empty());
  EXPECT_TRUE(charts_for(made_document({made_record({.axis = "other", .value = 0})})).empty());
}

TEST(Charts, AreOfOneDeviceWhereThereAreSeveral) {
  Document document = made_document({made_record({}), made_record({.device = "cuda:0"})});
  document.devices.push_back({{"id", "cuda:0"}, {"name", "A GPU"}});
  const std::vector<Chart> charts = charts_for(document);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[1].device, "cuda:0");
  EXPECT_EQ(rows_of(charts[1], "case").size(), 1U);
}

TEST(Charts, NameTheDeviceAndTheBestForThoseWhoCannotSeeThem) {
  const Chart chart = charts_for(made_document({made_record({.value = 280e9})})).at(0);
  EXPECT_THAT(chart.description, HasSubstr("on A CPU"));
  EXPECT_THAT(chart.description, HasSubstr("280 GB/s"));
  EXPECT_EQ(chart.spec["description"], chart.description);
}

}  // namespace
}  // namespace warpmark
