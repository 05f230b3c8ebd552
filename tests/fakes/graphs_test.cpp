// SPDX-License-Identifier: Apache-2.0
// Graphs and launches of the simulated driver take the time that the scenario says, run each of their nodes, and refuse
// what is nobody's.
#include <gtest/gtest.h>

#include "tests/fakes/driver/library_work.h"
#include "tests/fakes/rig.h"

namespace warpmark::fakes {
namespace {

using nlohmann::json;

constexpr double close_to = 1e-5;  // events tell 24 bits

json costly() {
  json scenario = machine("h200");
  scenario["devices"][0]["launch"] = {{"block_seconds", 1e-6}};
  scenario["devices"][0]["graph"] = {{"node_seconds", 5e-6}};
  return scenario;
}

/// A chain of so many nodes that count.
CUgraph chain_of(Rig& rig, int* counted, std::size_t nodes) {
  CUgraph graph = nullptr;
  Rig::ok(cuGraphCreate(&graph, 0));
  CUgraphNode last = nullptr;
  for (std::size_t i = 0; i < nodes; ++i) {
    CountParameters count{counted + i};
    void* all[] = {&count};
    CUDA_KERNEL_NODE_PARAMS node{};
    node.kern = rig.kernel("test_count");
    node.gridDimX = node.gridDimY = node.gridDimZ = 1;
    node.blockDimX = node.blockDimY = node.blockDimZ = 1;
    node.kernelParams = all;
    const CUgraphNode before = last;
    Rig::ok(cuGraphAddKernelNode(&last, graph, i == 0 ? nullptr : &before, i == 0 ? 0 : 1, &node));
  }
  return graph;
}

TEST(Graphs, RunEachNodeAndTakeItsTime) {
  Rig rig(costly());
  auto* const device = rig.device_memory<int>(3);
  Rig::ok(cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(device), 0, 3 * sizeof(int), rig.stream));
  const CUgraph graph = chain_of(rig, device, 3);
  CUgraphExec exec = nullptr;
  Rig::ok(cuGraphInstantiateWithFlags(&exec, graph, 0));
  Rig::ok(cuGraphUpload(exec, rig.stream));
  EXPECT_NEAR(1, rig.seconds([&] { Rig::ok(cuGraphLaunch(exec, rig.stream)); }) / (3 * 6e-6), close_to);
  std::vector<int> counts(3);
  Rig::ok(cuMemcpyDtoHAsync(counts.data(), reinterpret_cast<CUdeviceptr>(device), 3 * sizeof(int), rig.stream));
  EXPECT_EQ((std::vector<int>{1, 1, 1}), counts);
  Rig::ok(cuGraphExecDestroy(exec));
  Rig::ok(cuGraphDestroy(graph));
}

TEST(Graphs, CountAsLiveUntilTheyAreDestroyed) {
  Rig rig(costly());
  auto* const device = rig.device_memory<int>(1);
  const std::size_t before = cu_simulation_live_objects();
  const CUgraph graph = chain_of(rig, device, 1);
  CUgraphExec exec = nullptr;
  Rig::ok(cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_EQ(before + 2, cu_simulation_live_objects());
  Rig::ok(cuGraphExecDestroy(exec));
  Rig::ok(cuGraphDestroy(graph));
  EXPECT_EQ(before, cu_simulation_live_objects());
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, rig.stream));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphInstantiateWithFlags(&exec, graph, 0));
}

TEST(Graphs, AreRefusedWhereTheyAreNoChain) {
  Rig rig(costly());
  const CUgraph graph = chain_of(rig, rig.device_memory<int>(1), 1);
  CUDA_KERNEL_NODE_PARAMS node{};
  CUgraphNode made = nullptr;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddKernelNode(&made, graph, nullptr, 0, &node)) << "beside the first";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(nullptr, graph, nullptr, 0, &node));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(nullptr, 0));
}

TEST(LaunchCosts, OfBlocksAreTheDevices) {
  Rig rig(costly());
  const double one = rig.seconds([&] { Rig::ok(rig.launch("test_flops", FlopParameters{})); });
  const double many = rig.seconds([&] { Rig::ok(rig.launch("test_flops", FlopParameters{}, 100)); });
  EXPECT_NEAR(1, (many - one) / 99e-6, 1e-3);
}

}  // namespace
}  // namespace warpmark::fakes
