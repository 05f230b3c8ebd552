// SPDX-License-Identifier: Apache-2.0
// An order has every place once, and nothing about it can be foreseen by hardware; a walk ends where it says.
#include "harness/core/shuffle.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "harness/core/cycle.h"

namespace warpmark {
namespace {

std::vector<std::uint64_t> order_of(std::uint64_t seed, std::uint64_t n) {
  const Shuffle order(seed, n);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < n; ++i) all.push_back(order(i));
  return all;
}

/// How many of the distances from a place to the next are the most frequent one.
std::size_t most_alike(const std::vector<std::uint64_t>& order) {
  std::map<std::uint64_t, std::size_t> counts;
  std::size_t most = 0;
  for (std::size_t i = 1; i < order.size(); ++i) most = std::max(most, ++counts[order[i] - order[i - 1]]);
  return most;
}

TEST(Shuffle, HasEveryPlaceOnce) {
  for (const std::uint64_t n : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 100U, 255U, 256U, 257U, 4096U, 5000U}) {
    for (const std::uint64_t seed : {1U, 2U, 1001U}) {
      const std::vector<std::uint64_t> order = order_of(seed, n);
      const std::set<std::uint64_t> places(order.begin(), order.end());
      EXPECT_EQ(places.size(), n) << seed;
      EXPECT_EQ(*places.rbegin(), n - 1) << seed;
    }
  }
}

TEST(Shuffle, DependsOnTheSeedAndNothingElse) {
  EXPECT_EQ(order_of(1, 1000), order_of(1, 1000));
  EXPECT_NE(order_of(1, 1000), order_of(2, 1000));
}

TEST(Shuffle, HasNoDistanceThatAPrefetcherLearns) {
  // Of a random order a distance comes once on average, and the commonest of n such counts stays below 10.
  for (const std::uint64_t n : {256U, 4096U, 100'000U}) EXPECT_LE(most_alike(order_of(1, n)), 9U) << n;
  std::vector<std::uint64_t> strided;
  for (std::uint64_t i = 0; i < 4096; ++i) strided.push_back(i * 7 % 4096);
  EXPECT_GT(most_alike(strided), 2000U) << "a twin that has one";
}

TEST(Shuffle, LeavesFewPlacesBesideTheirNeighbours) {
  const std::vector<std::uint64_t> order = order_of(1, 65536);
  std::size_t near = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint64_t distance = order[i] > order[i - 1] ? order[i] - order[i - 1] : order[i - 1] - order[i];
    if (distance <= 64) ++near;
  }
  EXPECT_LT(near, 400U) << "65536 x 128 / 65536 = 128 are expected of a random order";
}

TEST(Shuffle, GoesBeyondThirtyTwoBits) {
  const Shuffle order(3, std::uint64_t{1} << 40);
  std::set<std::uint64_t> places;
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    places.insert(order(i));
    largest = std::max(largest, order(i));
  }
  EXPECT_EQ(places.size(), 1000U);
  EXPECT_GT(largest, std::uint64_t{1} << 38);
  EXPECT_LT(largest, std::uint64_t{1} << 40);
}

TEST(CycleWalk, KnowsEveryStopBeforehand) {
  constexpr std::size_t nodes = 10;
  constexpr std::size_t stride = 64;
  const std::vector<std::byte> memory(nodes * stride);
  CycleWalk walk({.first = memory.data(), .nodes = nodes, .stride_bytes = stride, .seed = 5});
  const Shuffle order(5, nodes);
  EXPECT_EQ(walk.address(), memory.data() + order(0) * stride);
  EXPECT_EQ(walk.advance(3), 3U);
  EXPECT_EQ(walk.address(), memory.data() + order(3) * stride);
  EXPECT_EQ(walk.advance(29), 2U) << "32 steps";
  EXPECT_EQ(walk.address(), memory.data() + order(2) * stride);
}

}  // namespace
}  // namespace warpmark
