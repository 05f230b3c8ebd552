// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "harness/core/error.h"

namespace warpmark::cpu {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

/// Gives the thread back what it was allowed before a pool pinned it.
class ThreadPoolTest : public ::testing::Test {
 protected:
  void TearDown() override {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : allowed_) CPU_SET(cpu, &set);
    EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
  }
  const std::vector<int> allowed_ = allowed_cpus();
};

TEST(PartOf, CoversEveryElementOnceInOrder) {
  for (const std::size_t n : {0U, 1U, 7U, 8U, 63U, 64U, 65U, 1000U, 4099U, 65536U}) {
    for (const std::size_t bytes : {1U, 2U, 4U, 8U, 16U, 64U, 100U}) {
      for (const std::size_t count : {1U, 2U, 3U, 7U, 16U, 64U, 100U}) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Part part = part_of(n, bytes, i, count);
          ASSERT_EQ(part.begin, at) << n << " " << bytes << " " << i << "/" << count;
          ASSERT_LE(part.begin, part.end);
          at = part.end;
        }
        ASSERT_EQ(at, n) << bytes << " " << count;
      }
    }
  }
}

TEST(PartOf, StartsAtCacheLines) {
  for (const std::size_t bytes : {1U, 2U, 4U, 8U, 16U, 32U, 64U})
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(part_of(4099, bytes, i, 5).begin * bytes % 64, 0U) << bytes << " " << i;
}

TEST(PartOf, SharesEvenly) {
  for (std::size_t i = 0; i < 7; ++i) {
    const Part part = part_of(100'000, 8, i, 7);  // 12500 lines: 1785 or 1786 each
    EXPECT_GE(part.end - part.begin, 1785U * 8);
    EXPECT_LE(part.end - part.begin, 1786U * 8);
  }
}

TEST(PartOf, CutsBytesWhereItCutsElements) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(part_of(1000 * 8, 1, i, 3).begin, part_of(1000, 8, i, 3).begin * 8);
    EXPECT_EQ(part_of(1000 * 8, 1, i, 3).end, part_of(1000, 8, i, 3).end * 8);
  }
}

TEST_F(ThreadPoolTest, CallsEveryIndexOnceARun) {
  // More threads than CPUs: all of them on the first, so that each has to wait for the others.
  const std::vector<int> cpus(5, allowed_.front());
  ThreadPool pool(cpus);
  ASSERT_EQ(pool.size(), 5U);
  std::vector<int> calls(5);
  std::vector<std::size_t> counts(5);
  for (int run = 0; run < 50; ++run) {
    pool.run([&](std::size_t index, std::size_t count) {
      ++calls[index];
      counts[index] = count;
    });
  }
  EXPECT_THAT(calls, Each(50));
  EXPECT_THAT(counts, Each(5U));
}

TEST_F(ThreadPoolTest, IsDoneWhenRunReturns) {
  ThreadPool pool(allowed_);
  std::vector<double> values(10'000, 1);
  for (int run = 0; run < 100; ++run) {
    pool.run([&](std::size_t index, std::size_t count) {
      const Part part = part_of(values.size(), sizeof(double), index, count);
      for (std::size_t i = part.begin; i < part.end; ++i) values[i] += 1;
    });
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), 0.0), 10'000.0 * (run + 2));
  }
}

TEST_F(ThreadPoolTest, PinsTheCallingThreadToItsFirstCpu) {
  const ThreadPool pool(allowed_);
  EXPECT_THAT(allowed_cpus(), ElementsAre(allowed_.front()));
  {
    const Unpinned everywhere(pool);
    EXPECT_EQ(allowed_cpus(), allowed_);
  }
  EXPECT_THAT(allowed_cpus(), ElementsAre(allowed_.front()));
}

TEST_F(ThreadPoolTest, NeedsACpu) { EXPECT_THROW(ThreadPool(std::vector<int>{}), Error); }

TEST_F(ThreadPoolTest, StartsAndEndsWithoutARun) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ThreadPool(allowed_).size(), allowed_.size());
}

TEST_F(ThreadPoolTest, PostsToAllButTheCallingThread) {
  ThreadPool pool(std::vector<int>(3, allowed_.front()));
  std::vector<int> seen(3, 0);
  const auto work = [&seen](std::size_t index, std::size_t count) { seen[index] = static_cast<int>(count); };
  for (int round = 0; round < 100; ++round) {
    std::fill(seen.begin(), seen.end(), 0);
    pool.post(work);
    pool.finish();
    ASSERT_THAT(seen, ElementsAre(0, 3, 3)) << round;
  }
  pool.run(work);
  EXPECT_THAT(seen, ElementsAre(3, 3, 3)) << "a region follows what was posted";
}

TEST_F(ThreadPoolTest, DoesNotWaitForWhatItPosts) {
  ThreadPool pool(std::vector<int>(2, allowed_.front()));
  std::atomic<bool> may_end{false};
  std::atomic<bool> has_ended{false};
  const auto work = [&](std::size_t, std::size_t) {
    while (!may_end) std::this_thread::yield();
    has_ended = true;
  };
  pool.post(work);
  EXPECT_FALSE(has_ended);
  may_end = true;
  pool.finish();
  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace warpmark::cpu
