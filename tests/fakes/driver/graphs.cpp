// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: graphs of kernels, made node by node.
#include <cuda.h>

#include <cstdio>

#include "tests/fakes/driver/entry.h"
#include "tests/fakes/driver/launches.h"

namespace warpmark::fakes {
namespace {

/// Nodes are numbers from 1 on: their places in the graph. Throws Refusal for anything but a chain.
void need_chain(const Graph& graph, const CUgraphNode* before, std::size_t count) {
  const std::size_t nodes = graph.nodes.size();
  const bool is_chain = nodes == 0 ? count == 0 : count == 1 && before != nullptr && node_at(nodes) == *before;
  if (is_chain) return;
  std::fputs("simulated driver: graphs know only nodes that each wait for the one before\n", stderr);
  throw Refusal{CUDA_ERROR_NOT_SUPPORTED};
}

double by_node(const GraphExec& exec, double seconds) { return seconds * static_cast<double>(exec.nodes->size()); }

void bring_to_device(Simulation& all, const SimulatedDevice& device, GraphExec& exec) {
  if (!exec.is_uploaded) all.spend_on(by_node(exec, device.truth().graph.upload_seconds));
  exec.is_uploaded = true;
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return enter_context("cuGraphCreate", [=](Simulation& all, SimulatedDevice&) {
    need(graph);
    if (flags != 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *graph = all.graphs().create();
  });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph handle, const CUgraphNode* before, std::size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* what) {
  return enter_context("cuGraphAddKernelNode", [=](Simulation& all, SimulatedDevice& device) {
    need(node, what);
    Graph& graph = all.graphs().graph(handle);
    need_chain(graph, before, count);
    refuse_the_unknown(what->sharedMemBytes, what->extra);
    const void* const kernel = what->func != nullptr ? static_cast<const void*>(what->func) : what->kern;
    graph.nodes.push_back(launch_of(all, device, kernel, {what->gridDimX, what->gridDimY, what->gridDimZ},
                                    {what->blockDimX, what->blockDimY, what->blockDimZ}, what->kernelParams));
    *node = node_at(graph.nodes.size());
  });
}

CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return enter_context("cuGraphInstantiateWithFlags", [=](Simulation& all, SimulatedDevice& device) {
    need(exec);
    if (flags != 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    *exec = all.graphs().instantiate(graph);
    all.spend_on(by_node(all.graphs().exec(*exec), device.truth().graph.instantiate_seconds));
  });
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return enter_context("cuGraphUpload", [=](Simulation& all, SimulatedDevice& device) {
    device.need_stream(stream);
    bring_to_device(all, device, all.graphs().exec(exec));
  });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return enter_context("cuGraphLaunch", [=](Simulation& all, SimulatedDevice& device) {
    GraphExec& launched = all.graphs().exec(exec);
    bring_to_device(all, device, launched);
    if (const auto seconds = device.truth().graph.launch_seconds) all.spend_on(*seconds);
    all.wait_until(
        device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = Together{.nodes = launched.nodes}}));
  });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return enter_context("cuGraphExecDestroy", [=](Simulation& all, SimulatedDevice&) { all.graphs().destroy(exec); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return enter_context("cuGraphDestroy", [=](Simulation& all, SimulatedDevice&) { all.graphs().destroy(graph); });
}
