// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/executor/grid.h"

#include <stdexcept>

#include "harness/backends/cuda/device_time.cuh"
#include "tests/fakes/executor/block.h"
#include "tests/fakes/executor/cuda_on_cpu.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's.
uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim{};
dim3 gridDim{};
// NOLINTEND(readability-identifier-naming)

namespace warpmark::fakes {
namespace {

struct Running {
  Block* block = nullptr;
  DeviceTimers* timers = nullptr;
};
Running running{};

}  // namespace

Block& current_block() {
  if (running.block == nullptr) throw std::logic_error("device code was called outside a kernel");
  return *running.block;
}

DeviceTimers& current_timers() {
  if (running.timers == nullptr) throw std::logic_error("the device's time was read outside a kernel");
  return *running.timers;
}

std::string run_grid(const Extent& grid, const Extent& block, const std::function<void()>& thread,
                     DeviceTimers& timers) {
  Block threads(block, thread);
  running = {.block = &threads, .timers = &timers};
  blockDim = {block.x, block.y, block.z};
  gridDim = {grid.x, grid.y, grid.z};
  std::string problem;
  for (unsigned z = 0; z < grid.z && problem.empty(); ++z)
    for (unsigned y = 0; y < grid.y && problem.empty(); ++y)
      for (unsigned x = 0; x < grid.x && problem.empty(); ++x) {
        blockIdx = {x, y, z};
        problem = threads.run();
      }
  running = {};
  return problem;
}

unsigned lane_of_thread() { return current_block().lane(); }

std::uint64_t exchange_lanes(std::uint32_t mask, std::uint64_t offered, unsigned source) {
  return current_block().exchange(mask, offered, source);
}

std::uint32_t vote_lanes(std::uint32_t mask, bool yes) { return current_block().vote(mask, yes); }

}  // namespace warpmark::fakes

// NOLINTBEGIN: the names are CUDA's.
void __syncthreads() { warpmark::fakes::current_block().wait_for_block(); }
long long clock64() { return warpmark::fakes::current_timers().clocks(); }
// NOLINTEND

namespace warpmark::cuda {
std::uint64_t nanoseconds_now() { return fakes::current_timers().nanoseconds(); }
}  // namespace warpmark::cuda
