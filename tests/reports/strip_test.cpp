// SPDX-License-Identifier: Apache-2.0
// The strip of a run: what is drawn of many readings, where, and what of hostile ones; and the GPUs as facts.
#include "reports/render/strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reports/render/gpu_facts.h"
#include "reports/render/strip_rows.h"
#include "tests/harness/summary/sampled_document.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<Strip> strips(const Document& document) { return strips_of(results_of(std::vector{document}, {}).at(0)); }

std::vector<json> rows_of(const Strip& strip, const std::string& kind) {
  std::vector<json> rows;
  for (const json& row : strip.spec["data"]["values"])
    if (row["kind"] == kind && !row.contains("limit")) rows.push_back(row);
  return rows;
}

std::vector<std::string> layers_of(const Strip& strip) {
  std::vector<std::string> names;
  for (const json& layer : strip.spec["layer"]) names.push_back(layer["name"]);
  return names;
}

json series_of(std::size_t count, double apart = 0.25) {
  json series{
      {"at", json::array()}, {"clock_hz", json::array()}, {"power_w", json::array()}, {"temperature_c", json::array()}};
  for (std::size_t i = 0; i < count; ++i) {
    series["at"].push_back(static_cast<double>(i) * apart);
    series["clock_hz"].push_back(1.7e9);
    series["power_w"].push_back(600);
    series["temperature_c"].push_back(60);
  }
  return series;
}

/// Records of a second each, one after the other, the first at 100 s of the machine's clock.
Document run(std::size_t records, const json& sampled = quiet_sampled()) {
  Document document = sampled_run(records, records, sampled);
  for (std::size_t i = 0; i < records; ++i)
    document.records[i].telemetry["window"] = {{"begin", 100.0 + static_cast<double>(i)},
                                               {"end", 100.9 + static_cast<double>(i)}};
  return document;
}

TEST(Strip, IsNotThereWithoutASeries) {
  EXPECT_THAT(strips(made_document({made_record({})})), IsEmpty());
  json sampled = quiet_sampled();
  sampled.erase("series");
  EXPECT_THAT(strips(run(3, sampled)), IsEmpty());
  EXPECT_THAT(strips(run(0)), IsEmpty());
}

TEST(Strip, CountsSecondsFromTheFirstWindowOfTheRun) {
  Document document = run(3);
  document.records.push_back(document.records[0]);
  document.records[3].device = "another device";
  document.records[3].telemetry["window"]["begin"] = 90;
  const std::vector<Strip> all = strips(document);
  ASSERT_THAT(all, SizeIs(1));
  const std::vector<json> clock = rows_of(all[0], "clock");
  ASSERT_THAT(clock, SizeIs(6));
  EXPECT_EQ(clock[0], json::parse(R"({"kind": "clock", "t": 10.0, "value": 1.7, "part": 0})"));
  EXPECT_EQ(clock[5]["t"], 12.25);
  EXPECT_EQ(rows_of(all[0], "power")[1]["value"], 610);
}

TEST(Strip, HasABandForEachReadingThereIs) {
  const Strip all = strips(run(3)).at(0);
  EXPECT_EQ(all.title, "Clock, power and temperature");
  EXPECT_THAT(layers_of(all), ElementsAre("span", "family", "clock_title", "clock", "power_title", "power",
                                          "temperature_title", "temperature"));
  json sampled = quiet_sampled();
  sampled["series"].erase("power_w");
  const Strip two = strips(run(3, sampled)).at(0);
  EXPECT_EQ(two.title, "Clock and temperature");
  EXPECT_THAT(layers_of(two),
              ElementsAre("span", "family", "clock_title", "clock", "temperature_title", "temperature"));
  EXPECT_EQ(two.spec["height"].get<int>(), all.spec["height"].get<int>() - 98) << "the rest moves up";
  EXPECT_LT(two.spec["layer"][5]["encoding"]["y"]["scale"]["range"][0],
            all.spec["layer"][7]["encoding"]["y"]["scale"]["range"][0]);
}

TEST(Strip, MakesNoMountainOfReadingsThatHardlyMove) {
  const auto lowest = [](const json& clocks) {
    json sampled = quiet_sampled();
    sampled["series"]["clock_hz"] = clocks;
    return strips(run(1, sampled)).at(0).spec["layer"][3]["encoding"]["y"]["scale"]["domainMin"].get<double>();
  };
  EXPECT_DOUBLE_EQ(lowest({2e9, 1.99e9}), 1.6);
  EXPECT_DOUBLE_EQ(lowest({2e9, 1.2e9}), 1.2);
}

TEST(Strip, SaysInWordsWhatItShows) {
  const Strip strip = strips(run(3,
                                 [] {
                                   json sampled = held_by("hw_thermal", 0.4);
                                   sampled["series"] = series_of(4);
                                   return sampled;
                                 }()))
                          .at(0);
  EXPECT_EQ(strip.description,
            "Clock, power and temperature of cuda:0 over the run: clock from 1.7 to 1.7 GHz, power from 600 to 600 W, "
            "temperature from 60 to 60 °C. Some records were held down by heat or a hardware slowdown. The table below "
            "it holds the numbers of each benchmark.");
  EXPECT_EQ(strip.spec["description"], strip.description);
  EXPECT_THAT(strip.note, IsEmpty());
}

TEST(Strip, MarksWhatWasHeldDown) {
  Document document = run(4);
  document.records[1].telemetry["sampled"] = held_by("sw_thermal", 0.3);
  document.records[2].telemetry["sampled"] = held_by("sw_power_cap", 0.9);
  const Strip strip = strips(document).at(0);
  EXPECT_TRUE(strip.heat);
  EXPECT_TRUE(strip.limit);
  ASSERT_THAT(rows_of(strip, "heat"), SizeIs(1));
  EXPECT_EQ(rows_of(strip, "heat")[0]["from"], 1.0);
  EXPECT_EQ(rows_of(strip, "heat")[0]["to"], 1.9);
  EXPECT_EQ(rows_of(strip, "heat")[0]["text"], "heat (the driver's thermal slowdown) held it down");
  EXPECT_EQ(rows_of(strip, "limit")[0]["case"], document.records[2].id + ", repeat 1");
  EXPECT_FALSE(strips(run(4))[0].heat);
  EXPECT_FALSE(strips(run(4, held_by("idle", 1)))[0].limit);
}

TEST(Strip, NamesCasesWhileTheyAreFewAndFamiliesWhenTheyAreMany) {
  Document document = run(3);
  document.records[2].benchmark = "gemm/square";
  const Strip few = strips(document).at(0);
  EXPECT_THAT(rows_of(few, "span"), SizeIs(3));
  EXPECT_EQ(rows_of(few, "span")[0]["case"], document.records[0].id + ", repeat 1");
  ASSERT_THAT(rows_of(few, "family"), SizeIs(2));
  EXPECT_EQ(rows_of(few, "family")[1]["text"], "gemm");
  const Strip many = strips(run(201)).at(0);
  ASSERT_THAT(rows_of(many, "span"), SizeIs(1));
  EXPECT_EQ(rows_of(many, "span")[0]["case"], "memory/triad: 201 records");
}

TEST(Strip, LeavesOutSpansThatNobodyCouldSee) {
  Document document = run(1000);
  for (std::size_t i = 0; i < 1000; i += 2) document.records[i].benchmark = "gemm/square";
  const Strip strip = strips(document).at(0);
  EXPECT_THAT(rows_of(strip, "span"), IsEmpty());
  EXPECT_THAT(layers_of(strip), Not(testing::Contains("span")));
  EXPECT_THAT(rows_of(strip, "clock"), Not(IsEmpty()));
}

TEST(Strip, DrawsAtMostTwoThousandReadingsAndEverySpike) {
  json sampled = quiet_sampled();
  sampled["series"] = series_of(64, 0.01);
  Document document = run(1000, sampled);
  document.records[500].telemetry["sampled"]["series"]["temperature_c"][7] = 95;
  document.records[700].telemetry["sampled"]["series"]["clock_hz"][7] = 2.1e8;
  const Strip strip = strips(document).at(0);
  std::size_t drawn = 0;
  for (const char* band : {"clock", "power", "temperature"}) drawn += rows_of(strip, band).size();
  EXPECT_LE(drawn, most_readings_drawn);
  EXPECT_GT(drawn, most_readings_drawn / 4);
  const auto has = [&](const char* band, double value) {
    const std::vector<json> rows = rows_of(strip, band);
    return std::any_of(rows.begin(), rows.end(), [&](const json& row) { return row["value"] == value; });
  };
  EXPECT_TRUE(has("temperature", 95));
  EXPECT_TRUE(has("clock", 0.21));
  EXPECT_EQ(strip.note,
            std::to_string(drawn) + " of 192000 readings are drawn: the lowest and the highest of each interval.");
}

TEST(Thinned, KeepsOrderAndEnds) {
  std::vector<DrawnReading> readings;
  for (int i = 0; i < 1000; ++i) readings.push_back({.at = i * 0.1, .value = static_cast<double>(i * 37 % 101)});
  const std::vector<DrawnReading> kept = thinned(readings, 100);
  EXPECT_LE(kept.size(), 100U);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                             [](const DrawnReading& a, const DrawnReading& b) { return a.at < b.at; }));
  EXPECT_EQ(thinned(readings, 1000).size(), 1000U);
  EXPECT_LE(thinned(std::vector<DrawnReading>(1000, DrawnReading{.at = 1, .value = 2}), 100).size(), 2U)
      << "all at one moment";
}

TEST(Strip, EndsALineWhereNothingWasReadForLong) {
  Document document = run(3);
  document.records[2].telemetry["window"] = {{"begin", 200}, {"end", 201}};
  const std::vector<json> clock = rows_of(strips(document).at(0), "clock");
  EXPECT_EQ(clock[3]["part"], 0);
  EXPECT_EQ(clock[4]["part"], 1);
}

TEST(Strip, TakesNoReadingThatCannotBeOne) {
  for (const json& strange : {json(), json("x"), json(-1), json(1e300), json::array({"x", nullptr, -3, 1e300}),
                              json::array({json::array(), json::object(), true, 1e14})}) {
    for (const char* key : {"at", "clock_hz", "power_w", "temperature_c"}) {
      json sampled = quiet_sampled();
      sampled["series"][key] = strange;
      for (const Strip& strip : strips(run(3, sampled)))
        for (const json& row : strip.spec["data"]["values"])
          if (row.contains("value")) {
            EXPECT_LT(row["value"].get<double>(), 1e6) << key << strange;
          }
    }
    Document document = run(2);
    document.records[0].telemetry["window"] = strange;
    document.records[1].telemetry["window"] = {{"begin", strange}, {"end", strange}};
    EXPECT_THAT(strips(document), IsEmpty()) << strange;
    document.records[1].telemetry["window"] = {{"begin", 1}, {"end", strange}};
    EXPECT_THAT(strips(document), SizeIs(1)) << strange;
  }
}

TEST(Strip, OfListsOfUnequalLengthTakesWhatBelongsTogether) {
  json sampled = quiet_sampled();
  sampled["series"]["at"] = {0, 0.25, 0.5, 0.75};
  EXPECT_THAT(rows_of(strips(run(1, sampled)).at(0), "clock"), SizeIs(2));
}

TEST(Strip, HasATableByBenchmark) {
  Document document = run(3, held_by("sw_thermal", 0.3));
  document.records[2].benchmark = "gemm/square";
  document.records[2].telemetry["sampled"] = quiet_sampled();
  const json table = strips(document).at(0).table;
  ASSERT_EQ(table["rows"].size(), 2U);
  EXPECT_EQ(table["rows"][0], json::parse(R"({"name": "memory/triad", "cells": ["2", "1.71 GHz", "612 W", "71 °C",
                                               "heat (the driver's thermal slowdown) 30.0 %"]})"));
  EXPECT_EQ(table["rows"][1]["cells"][4], "");
  EXPECT_EQ(table["heads"].size(), table["rows"][0]["cells"].size());
}

TEST(Strip, IsOneForEachDevice) {
  Document document = run(4);
  document.devices.push_back(document.devices[0]);
  document.devices[1]["id"] = "cuda:1";
  document.records[3].device = "cuda:1";
  const std::vector<Strip> all = strips(document);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].device, "cuda:1");
  EXPECT_THAT(rows_of(all[1], "clock"), SizeIs(2));
}

TEST(Pages, HaveTheStripAndNoSeriesBesideIt) {
  const std::array documents{run(3, held_by("sw_power_cap", 0.9))};
  const std::string page = html_report(documents, {});
  EXPECT_THAT(page, HasSubstr("<div class=\"chart strip\" id=\"strip-1\""));
  EXPECT_THAT(page, HasSubstr("cuda:0 was at its power limit of 700 W in 90.0 % of the readings"));
  EXPECT_THAT(page, Not(HasSubstr("\"series\":")));
  EXPECT_THAT(html_report(std::array{made_document({made_record({})})}, {}), Not(HasSubstr("id=\"strips-section\"")));
}

TEST(Markdown, HasReadingsAndNotes) {
  const std::string text = markdown_report(std::array{run(3, held_by("sw_power_cap", 0.9))}, {});
  EXPECT_THAT(text, HasSubstr("### Clock, power and temperature\n\n- cuda:0 was at its power limit of 700 W"));
  EXPECT_THAT(text, HasSubstr("- cuda:0: clock 1.71 GHz (86.4 % of its highest), 612 W of 700 W and 71 °C at most; its "
                              "power limit held it down 90.0 % of the time"));
  EXPECT_THAT(markdown_report(std::array{made_document({made_record({})})}, {}), Not(HasSubstr("temperature")));
}

TEST(Csv, HasTheMediansOfTheReadings) {
  std::array documents{run(1)};
  EXPECT_THAT(csv_report(documents, {}), HasSubstr(",1710000000,612.4,64\n"));
  documents[0].records[0].telemetry["sampled"].erase("power_w");
  EXPECT_THAT(csv_report(documents, {}), HasSubstr(",1710000000,,64\n"));
  EXPECT_THAT(csv_report(std::array{made_document({made_record({})})}, {}), HasSubstr(",,,\n"));
}

std::string fact(const Document& document, const std::string& label) {
  for (const Fact& each : identity_facts(document))
    if (each.label == label) return each.text;
  return "none";
}

TEST(GpuFacts, AreALineOfEachGpu) {
  Document document = run(3);
  json& gpus = document.machine["nvidia"]["gpus"];
  gpus[0] =
      json::parse(R"({"pci": "0000:1b:00.0", "name": "NVIDIA H200", "uuid": "GPU-5eef03a0-5157-4d61-726b-000000000000",
    "memory": {"total_bytes": 150754820096, "usable_bytes": 150000000000}, "ecc": {"on": true},
    "power": {"limit_w": 350, "default_limit_w": 700}, "virtualization": "passthrough", "mig": {"on": false},
    "link": {"generation": 1, "width": 16, "max_generation": 5, "max_width": 16}})");
  EXPECT_EQ(fact(document, "GPU"),
            "NVIDIA H200, 140 GiB usable, ECC on, power limit 350 W of 700 W, PCIe 5 x16 under load, at most PCIe 5 "
            "x16, passed through to a virtual machine (GPU-5eef03a0)");
  document.records.clear();
  EXPECT_THAT(fact(document, "GPU"), HasSubstr("700 W, at most PCIe 5 x16")) << "at rest it says nothing";
  gpus.push_back(json::parse(R"({"pci": "0000:2b:00.0", "name": "NVIDIA A100", "ecc": {"on": null},
    "mig": {"on": true, "instances": [{}, {}]}, "virtualization": "none"})"));
  EXPECT_EQ(fact(document, "GPU 1"), "NVIDIA A100, MIG with 2 instances");
  EXPECT_THAT(fact(document, "GPU 0"), HasSubstr("NVIDIA H200"));
  gpus.push_back(gpus[0]);
  gpus[2]["uuid"] = "GPU-7";
  EXPECT_THAT(fact(document, "2 GPUs"), HasSubstr("(GPU-5eef03a0, GPU-7)"));
}

TEST(GpuFacts, BearWhatIsNoCard) {
  for (const json& strange : {json(), json(1), json("x"), json::array({1, nullptr, "x", json::array()}),
                              json::array({{{"name", 7}, {"memory", "x"}, {"power", json::array()}, {"mig", 1}}})}) {
    Document document = run(1);
    document.machine["nvidia"] = {{"gpus", strange}, {"nvml", {{"why", "no libnvidia-ml.so.1"}}}};
    EXPECT_EQ(fact(document, "NVML"), "no libnvidia-ml.so.1");
    document.machine["nvidia"] = strange;
    EXPECT_EQ(fact(document, "GPU"), "none");
  }
}

}  // namespace
}  // namespace warpmark
