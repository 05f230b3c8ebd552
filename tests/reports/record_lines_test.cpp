// SPDX-License-Identifier: Apache-2.0
#include "reports/render/record_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

using nlohmann::json;

Samples counting_samples(std::size_t count) {
  Samples samples;
  samples.seconds.resize(count);
  std::iota(samples.seconds.begin(), samples.seconds.end(), 1.0);
  return samples;
}

TEST(PageSamples, StayWholeUpToALimit) {
  const json whole = page_samples(counting_samples(most_points));
  EXPECT_EQ(whole["seconds"].size(), most_points);
  EXPECT_FALSE(whole.contains("counts"));
}

TEST(PageSamples, AreThinnedBeyondItWithTheirEndsAndTheirMean) {
  const json thin = page_samples(counting_samples(10'000));
  ASSERT_EQ(thin["points"], 1000);
  EXPECT_EQ(thin["of"], 10'000);
  // The first bin holds 1 to 10, the last 9991 to 10000.
  EXPECT_EQ(thin["seconds"][0], 5.5);
  EXPECT_EQ(thin["low"][0], 1.0);
  EXPECT_EQ(thin["high"][0], 10.0);
  EXPECT_EQ(thin["low"][999], 9991.0);
  EXPECT_EQ(thin["high"][999], 10'000.0);
}

TEST(PageSamples, AreCountedBeforeTheyAreThinned) {
  // All alike but one in every hundred: means of ten would hide how far those lie.
  Samples samples;
  for (int i = 0; i < 10'000; ++i) samples.seconds.push_back(i % 100 == 0 ? 2.0 : 1.0);
  const json counts = page_samples(samples)["counts"];
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[0][0].get<double>(), 1.0, 0.01);
  EXPECT_EQ(counts[0][1], 9900);
  EXPECT_NEAR(counts[1][0].get<double>(), 2.0, 0.01);
  EXPECT_EQ(counts[1][1], 100);
}

TEST(PageSamples, KeepASeriesThatDoesNotChangeAsOneNumber) {
  Samples samples = counting_samples(3);
  samples.clock_hz = {3.7e9, 3.7e9, 3.7e9};
  samples.probe = {1, 2, 3};
  const json made = page_samples(samples);
  EXPECT_EQ(made["clock_hz"], 3.7e9);
  EXPECT_EQ(made["probe"], json({1.0, 2.0, 3.0}));
}

TEST(PageSamples, LeaveOutWhatIsNotBesideEverySample) {
  Samples samples = counting_samples(3);
  samples.clock_hz = {3.7e9};
  EXPECT_FALSE(page_samples(samples).contains("clock_hz"));
}

TEST(PageSamples, WriteWhatIsNoNumberAsNull) {
  Samples samples = counting_samples(2);
  samples.seconds[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(page_samples(samples)["seconds"], json::parse("[1.0, null]"));
  Samples nothing;
  nothing.seconds.assign(most_points + 1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(page_samples(nothing)["counts"].empty());
}

// A document may hold any number that a double can be.
TEST(PageSamples, AreCountedHoweverFarApart) {
  const auto counted = [](double a, double b) {
    Samples samples;
    for (int i = 0; i < 10'000; ++i) samples.seconds.push_back(i % 100 == 0 ? a : b);
    return page_samples(samples)["counts"];
  };
  for (const auto& [a, b] : {std::pair(-1e308, 1e308), {1e308, 1e300}, {-2.0, -1.0}, {0.0, 5e-324}}) {
    const json counts = counted(a, b);
    ASSERT_LE(counts.size(), 2U) << a;
    EXPECT_EQ(counts[0][1].get<int>() + (counts.size() > 1 ? counts[1][1].get<int>() : 0), 10'000) << a;
  }
  EXPECT_EQ(counted(-2, -1).size(), 2U) << "negative ones lie apart, too";
  EXPECT_EQ(counted(-1e308, 1e308)[0][1], 100);
  EXPECT_EQ(counted(0, 0).size(), 1U);
}

TEST(RecordLines, AreOneRecordEachInTheOrderOfTheTable) {
  Record hostile = made_record({.size = 4096, .status = Status::failed});
  hostile.why = "</script>\nline two";
  const std::vector documents{made_document({made_record({.repeat = 1}), made_record({}), hostile})};
  const std::string text = record_lines(results_of(documents, {}));
  EXPECT_EQ(text.find('<'), std::string::npos);
  std::istringstream stream(text);
  std::vector<json> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["why"], "</script>\nline two");
  EXPECT_EQ(lines[1]["repeat"], 1);
  EXPECT_EQ(lines[2]["repeat"], 2);
  EXPECT_EQ(lines[2]["metrics"][0]["value"], 1e9);
  EXPECT_FALSE(lines[0].contains("stats"));
}

}  // namespace
}  // namespace warpmark
