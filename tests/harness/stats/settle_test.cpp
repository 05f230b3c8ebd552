// SPDX-License-Identifier: Apache-2.0
// Made-up courses of a device: a drop, a boost that ends, a ramp, noise alone, a machine that never comes to rest.
#include "harness/stats/settle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace warpmark {
namespace {

/// `n` samples of what `level` says, each off by a normal share of itself.
std::vector<double> course(std::size_t n, double noise, const std::function<double(std::size_t)>& level,
                           std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> share(0, noise);
  std::vector<double> samples;
  for (std::size_t i = 0; i < n; ++i) samples.push_back(level(i) * (1 + (noise > 0 ? share(random) : 0)));
  return samples;
}

double flat(std::size_t) { return 2; }

TEST(Settle, IsAtOnceWhereNothingChanges) {
  EXPECT_EQ(settled_from(course(75, 0, flat)), 0U);
  EXPECT_EQ(settled_from(course(75, 0.003, flat)), 0U);
}

TEST(Settle, IsAtTheSampleOfTheDrop) {
  // 300 s in windows of 0.25 s; from 20 s on everything takes 1 / 0.6 as long.
  const auto drop = [](std::size_t i) { return i < 80 ? 1.0 : 1 / 0.6; };
  EXPECT_EQ(settled_from(course(1200, 0, drop)), 80U);
  EXPECT_EQ(settled_from(course(1200, 0.003, drop)), 80U);
  // A drop of 3 % too, and a gain.
  EXPECT_EQ(settled_from(course(1200, 0.003, [](std::size_t i) { return i < 80 ? 1.0 : 1.03; })), 80U);
  EXPECT_EQ(settled_from(course(1200, 0.003, [](std::size_t i) { return i < 80 ? 1.03 : 1.0; })), 80U);
}

TEST(Settle, IsWhereARampComesWithinTwoPercentOfItsEnd) {
  // 1 - exp(-i / 10) is 0.98 at i = 10 ln 50 = 39.1.
  const auto warming = [](std::size_t i) { return 1 - std::exp(-static_cast<double>(i) / 10); };
  EXPECT_EQ(settled_from(course(150, 0, warming)), 40U);
}

TEST(Settle, LeavesOutOneLoneSample) {
  auto samples = course(75, 0.003, flat);
  samples[40] *= 3;
  EXPECT_EQ(settled_from(samples), 0U);
  for (std::size_t i = 40; i < 44; ++i) samples[i] = 6;  // four are no accident
  EXPECT_EQ(settled_from(samples), 44U);
}

TEST(Settle, NeverWhereItIsStillChanging) {
  EXPECT_FALSE(settled_from(course(75, 0.003, [](std::size_t i) { return 1 + 0.01 * static_cast<double>(i); })));
  // A drop in the last third leaves too little to tell.
  EXPECT_FALSE(settled_from(course(75, 0.003, [](std::size_t i) { return i < 60 ? 1.0 : 1.3; })));
  // Back and forth between two levels, ten samples each.
  EXPECT_FALSE(settled_from(course(80, 0.003, [](std::size_t i) { return i / 10 % 2 == 0 ? 1.0 : 1.3; })));
}

TEST(Settle, NoiseAloneHasSettledAtOnce) {
  int late = 0, never = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto from = settled_from(course(75, 0.05, flat, seed));
    never += from ? 0 : 1;
    late += from.value_or(0) > 0 ? 1 : 0;
  }
  EXPECT_LE(never, 10);
  EXPECT_LE(late, 20);
}

TEST(Settle, TellsNothingOfAFewSamples) {
  EXPECT_FALSE(settled_from(course(11, 0, flat)));
  EXPECT_EQ(settled_from(course(12, 0, flat)), 0U);
  EXPECT_FALSE(settled_from({}));
}

}  // namespace
}  // namespace warpmark
