// SPDX-License-Identifier: Apache-2.0
// A chain of empty kernels as a CUDA graph, made node by node, and the steps of its life one by one.
#include <memory>
#include <type_traits>

#include "harness/backends/cuda/driver.h"
#include "kernels/launch/empty_launch_cuda.h"
#include "kernels/launch/stopwatch.h"

namespace warpmark::cuda {
namespace {

/// What a driver can be asked for, several times over, in seconds.
constexpr std::int64_t most_nodes = 65536;

struct DestroyGraph {
  void operator()(CUgraph graph) const { (void)driver().GraphDestroy(graph); }
};
struct DestroyExec {
  void operator()(CUgraphExec exec) const { (void)driver().GraphExecDestroy(exec); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<CUgraph>, DestroyGraph>;
using Exec = std::unique_ptr<std::remove_pointer_t<CUgraphExec>, DestroyExec>;

/// Each node waits for the one before it. Those beyond `different` have the arguments of the first ones again.
Graph chain_of(EmptyLaunch& launch, const Grid& grid, std::size_t nodes, std::size_t different) {
  CUgraph made = nullptr;
  check(driver().GraphCreate(&made, 0), "cuGraphCreate");
  Graph graph(made);
  CUgraphNode last = nullptr;
  for (std::size_t i = 0; i < nodes; ++i) {
    void* all[] = {launch.arguments(i % different)};
    CUDA_KERNEL_NODE_PARAMS_v2 node{};
    node.kern = launch.kernel().handle;
    node.gridDimX = grid.blocks;
    node.gridDimY = node.gridDimZ = 1;
    node.blockDimX = grid.threads;
    node.blockDimY = node.blockDimZ = 1;
    node.kernelParams = all;
    const CUgraphNode before = last;
    check(driver().GraphAddKernelNode(&last, graph.get(), i == 0 ? nullptr : &before, i == 0 ? 0 : 1, &node),
          "cuGraphAddKernelNode");
  }
  return graph;
}

Exec instantiate(const Graph& graph) {
  CUgraphExec exec = nullptr;
  check(driver().GraphInstantiateWithFlags(&exec, graph.get(), 0), "cuGraphInstantiateWithFlags");
  return Exec(exec);
}

void upload(const Exec& exec, CudaStream& on) {
  check(driver().GraphUpload(exec.get(), on.handle()), "cuGraphUpload");
  on.wait();
}

class GraphOfLaunches {
 public:
  GraphOfLaunches(Stream& stream, const ops::GraphOfEmpty& op)
      : nodes_(op.nodes),
        launch_(stream, op.empty, op.nodes),
        telling_(instantiate(chain_of(launch_, launch_.telling_grid(), nodes_, nodes_))),
        graph_(chain_of(launch_, launch_.timed_grid(), nodes_, nodes_)),
        exec_(instantiate(graph_)) {
    CudaStream& on = cuda_stream(stream);
    if (op.step == ops::GraphStep::node)
      longer_ = instantiate(chain_of(launch_, launch_.timed_grid(), 2 * nodes_, nodes_));
    for (const Exec* exec : {&exec_, &longer_}) {
      if (!*exec) continue;
      upload(*exec, on);
      submit(*exec, on);  // the first one of each may still bring something to the device
    }
    on.wait();
  }

  /// The proof: the same chain, by launches that tell.
  void tell(CudaStream& on) {
    submit(telling_, on);
    launch_.write_down(on);
  }
  [[nodiscard]] double seconds(ops::GraphStep step, CudaStream& on) {
    if (launch_.is_time_to_tell()) {
      tell(on);
      on.wait();
    }
    switch (step) {
      case ops::GraphStep::node: return node_seconds(on);
      case ops::GraphStep::launch: return launch_seconds(on);
      case ops::GraphStep::instantiate: return instantiate_seconds();
      case ops::GraphStep::upload: return upload_seconds(on);
    }
    return 0;
  }
  [[nodiscard]] const EmptyLaunch& launch() const { return launch_; }

 private:
  static void submit(const Exec& exec, CudaStream& on) {
    check(driver().GraphLaunch(exec.get(), on.handle()), "cuGraphLaunch");
  }
  /// What all nodes share is in both and falls out.
  [[nodiscard]] double node_seconds(CudaStream& on) const {
    const auto time_of = [&on](const Exec& exec) { return on.time([&](Stream& s) { submit(exec, cuda_stream(s)); }); };
    const double longer = time_of(longer_);
    return (longer - time_of(exec_)) / static_cast<double>(nodes_);
  }
  [[nodiscard]] double launch_seconds(CudaStream& on) const {
    const double seconds = seconds_of([&] { submit(exec_, on); });
    on.wait();
    return seconds;
  }
  [[nodiscard]] double instantiate_seconds() const {
    Exec made;
    return seconds_of([&] { made = instantiate(graph_); });
  }
  [[nodiscard]] double upload_seconds(CudaStream& on) const {
    const Exec fresh = instantiate(graph_);
    return seconds_of([&] { upload(fresh, on); });
  }

  std::size_t nodes_;
  EmptyLaunch launch_;
  Exec telling_;
  Graph graph_;
  Exec exec_;
  Exec longer_{};  // twice the nodes
};

const char* method_of(ops::GraphStep step) {
  switch (step) {
    case ops::GraphStep::node:
      return "events around graphs of twice the nodes and of the nodes: the difference, by node";
    case ops::GraphStep::launch: return "the host's clock around cuGraphLaunch on an idle stream, uploaded before";
    case ops::GraphStep::instantiate: return "the host's clock around cuGraphInstantiateWithFlags";
    case ops::GraphStep::upload: return "the host's clock around cuGraphUpload and waiting for it";
  }
  return "";
}

Bound bind(Stream& stream, const ops::GraphOfEmpty& op) {
  const auto graph = std::make_shared<GraphOfLaunches>(stream, op);
  nlohmann::json about = graph->launch().about();
  about["method"] = method_of(op.step);
  return {.launch = [graph](Stream& s) { graph->tell(cuda_stream(s)); },
          .about = std::move(about),
          .clocking = Clocking::own,
          .sample = [graph, step = op.step](Stream& s) { return graph->seconds(step, cuda_stream(s)); }};
}

std::string unsupported(const Device&, const Case& at) {
  return at.integer("nodes") <= most_nodes ? "" : "graphs of more than 65536 nodes are not measured";
}

const Implements<ops::GraphOfEmpty> graph{
    {.id = {"cuda", "empty", DType::u8}, .bind = bind, .unsupported = unsupported}};

}  // namespace
}  // namespace warpmark::cuda
