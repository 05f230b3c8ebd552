// SPDX-License-Identifier: Apache-2.0
// Grids on the CPU: threads, barriers, what lanes hand to each other, and barriers that not all reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "harness/backends/cuda/device_time.cuh"
#include "tests/fakes/executor/cuda_on_cpu.h"
#include "tests/fakes/executor/grid.h"

namespace warpmark::fakes {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StandingTime final : public DeviceTimers {
 public:
  [[nodiscard]] std::uint64_t nanoseconds() override { return 1000; }
  [[nodiscard]] std::int64_t clocks() override { return 7; }
};

std::string run(const Extent& grid, const Extent& block, const std::function<void()>& thread) {
  StandingTime time;
  return run_grid(grid, block, thread, time);
}

TEST(Executor, RunsEveryThreadOfEveryBlockOnce) {
  std::vector<int> runs(2 * 3 * 4 * 5 * 6 * 7);
  const auto index = [] {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  };
  EXPECT_EQ("", run({2, 3, 4}, {5, 6, 7}, [&] { ++runs[index()]; }));
  EXPECT_THAT(runs, Each(1));
}

TEST(Executor, ABarrierSeparatesWritesFromReads) {
  constexpr unsigned threads = 200;  // the last warp is not a whole one
  std::vector<unsigned> shared(threads);
  std::vector<unsigned> seen(threads);
  const auto thread = [&] {
    for (unsigned round = 0; round < 5; ++round) {
      shared[threadIdx.x] = 1000 * round + threadIdx.x;
      __syncthreads();
      seen[threadIdx.x] = shared[threads - 1 - threadIdx.x];
      __syncthreads();
    }
  };
  EXPECT_EQ("", run({3}, {threads}, thread));
  for (unsigned i = 0; i < threads; ++i) EXPECT_EQ(4000 + threads - 1 - i, seen[i]) << i;
}

TEST(Executor, WithoutTheBarrierAThreadReadsWhatIsNotThere) {
  std::vector<unsigned> shared(64, 0);
  std::vector<unsigned> seen(64, 0);
  EXPECT_EQ("", run({1}, {64}, [&] {
              shared[threadIdx.x] = 1;
              seen[threadIdx.x] = shared[63 - threadIdx.x];
            }));
  EXPECT_EQ(0U, seen[0]);
}

TEST(Executor, ThreadsThatLeftDoNotKeepTheOthersWaiting) {
  unsigned passed = 0;
  EXPECT_EQ("", run({1}, {96}, [&] {
              if (threadIdx.x >= 40) return;
              __syncthreads();
              ++passed;
            }));
  EXPECT_EQ(40U, passed);
}

TEST(Executor, LanesHandValuesToEachOther) {
  std::vector<double> sum(64);
  std::vector<int> down(64);
  std::vector<int> up(64);
  std::vector<int> first(64);
  EXPECT_EQ("", run({1}, {64}, [&] {
              const unsigned i = threadIdx.x;
              double mine = i;
              for (int mask = 16; mask > 0; mask /= 2) mine += __shfl_xor_sync(all_lanes_of_a_warp, mine, mask);
              sum[i] = mine;
              down[i] = __shfl_down_sync(all_lanes_of_a_warp, static_cast<int>(i), 2, 8);
              up[i] = __shfl_up_sync(all_lanes_of_a_warp, static_cast<int>(i), 1);
              first[i] = __shfl_sync(all_lanes_of_a_warp, static_cast<int>(i), 3, 16);
            }));
  EXPECT_EQ(31 * 16, sum[0]);
  EXPECT_EQ((32 + 63) * 16, sum[63]);
  EXPECT_THAT(std::vector<int>(down.begin(), down.begin() + 8), ElementsAre(2, 3, 4, 5, 6, 7, 6, 7));
  EXPECT_EQ(0, up[0]);
  EXPECT_EQ(30, up[31]);
  EXPECT_EQ(32, up[32]);
  EXPECT_EQ(3, first[0]);
  EXPECT_EQ(51, first[63]);
}

TEST(Executor, PartsOfAWarpMeetByThemselves) {
  std::vector<unsigned> votes(32);
  std::vector<unsigned> after(32);
  EXPECT_EQ("", run({1}, {32}, [&] {
              const unsigned i = threadIdx.x;
              const unsigned mine = i < 8 ? 0xffU : 0xffffff00U;
              for (unsigned round = 0; round < i / 8 % 2 + 1 && i < 8; ++round) __syncwarp(mine);
              votes[i] = __ballot_sync(mine, i % 2 == 0);
              after[i] = __shfl_sync(all_lanes_of_a_warp, i, 31 - static_cast<int>(i));
            }));
  EXPECT_EQ(0x55U, votes[0]);
  EXPECT_EQ(0x55555500U, votes[31]);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(31 - i, after[i]);
}

TEST(Executor, VotesAreOfTheWarp) {
  std::vector<int> any(64);
  std::vector<int> all(64);
  EXPECT_EQ("", run({1}, {64}, [&] {
              any[threadIdx.x] = __any_sync(all_lanes_of_a_warp, threadIdx.x == 40);
              all[threadIdx.x] = __all_sync(all_lanes_of_a_warp, threadIdx.x < 40);
            }));
  EXPECT_EQ(0, any[0]);
  EXPECT_NE(0, any[63]);
  EXPECT_NE(0, all[0]);
  EXPECT_EQ(0, all[63]);
}

TEST(Executor, ABarrierThatNotAllReachIsReported) {
  const std::string problem = run({2, 2}, {64}, [] {
    if (blockIdx.y == 0) return;
    if (threadIdx.x == 5)
      __syncwarp();
    else
      __syncthreads();
  });
  EXPECT_THAT(problem, HasSubstr("deadlock in block (0, 1, 0)"));
  EXPECT_THAT(problem, HasSubstr("63 wait at __syncthreads and 1 for lanes"));
  EXPECT_EQ("", run({1}, {64}, [] { __syncthreads(); })) << "the next grid runs";
}

TEST(Executor, AtomicsAndTicketsCount) {
  unsigned count = 0;
  unsigned ticket = 0;
  unsigned last = 0;
  EXPECT_EQ("", run({10}, {64}, [&] {
              atomicAdd(&count, 2U);
              __syncthreads();
              if (threadIdx.x == 0 && atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1) last = blockIdx.x;
            }));
  EXPECT_EQ(1280U, count);
  EXPECT_EQ(0U, ticket);
  EXPECT_EQ(9U, last);
}

TEST(Executor, KernelsReadTheDevicesTime) {
  std::uint64_t nanoseconds = 0;
  long long clocks = 0;
  EXPECT_EQ("", run({1}, {1}, [&] {
              nanoseconds = cuda::nanoseconds_now();
              clocks = clock64();
            }));
  EXPECT_EQ(1000U, nanoseconds);
  EXPECT_EQ(7, clocks);
  EXPECT_THROW((void)cuda::nanoseconds_now(), std::logic_error);
}

}  // namespace
}  // namespace warpmark::fakes
