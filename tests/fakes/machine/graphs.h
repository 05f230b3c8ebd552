// SPDX-License-Identifier: Apache-2.0
// The graphs of a process, and what was instantiated of them.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tests/fakes/machine/operation.h"
#include "tests/fakes/machine/refusal.h"

namespace warpmark::fakes {

struct Graph {
  std::vector<Launch> nodes{};
};

struct GraphExec {
  std::shared_ptr<const std::vector<Launch>> nodes{};
  bool is_uploaded = false;
};

/// The handle of a node by its place, from 1 on.
[[nodiscard]] inline CUgraphNode node_at(std::size_t place) {
  return reinterpret_cast<CUgraphNode>(static_cast<std::uintptr_t>(place));  // NOLINT(performance-no-int-to-ptr)
}

/// Handles of nobody's are refused.
class Graphs {
 public:
  [[nodiscard]] CUgraph create() { return enter(graphs_, std::make_unique<Graph>()); }
  [[nodiscard]] Graph& graph(CUgraph handle) const { return found(graphs_, handle); }
  [[nodiscard]] CUgraphExec instantiate(CUgraph of) {
    auto exec = std::make_unique<GraphExec>();
    exec->nodes = std::make_shared<const std::vector<Launch>>(graph(of).nodes);
    return enter(execs_, std::move(exec));
  }
  [[nodiscard]] GraphExec& exec(CUgraphExec handle) const { return found(execs_, handle); }
  void destroy(CUgraph handle) { forget(graphs_, handle); }
  void destroy(CUgraphExec handle) { forget(execs_, handle); }
  [[nodiscard]] std::size_t count() const { return graphs_.size() + execs_.size(); }

 private:
  template <class Handle, class T>
  static Handle enter(std::map<Handle, std::unique_ptr<T>>& all, std::unique_ptr<T> one) {
    auto* const handle = reinterpret_cast<Handle>(one.get());
    all[handle] = std::move(one);
    return handle;
  }
  template <class Handle, class T>
  static T& found(const std::map<Handle, std::unique_ptr<T>>& all, Handle handle) {
    const auto one = all.find(handle);
    if (one == all.end()) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
    return *one->second;
  }
  template <class All, class Handle>
  static void forget(All& all, Handle handle) {
    if (all.erase(handle) == 0) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
  }

  std::map<CUgraph, std::unique_ptr<Graph>> graphs_{};
  std::map<CUgraphExec, std::unique_ptr<GraphExec>> execs_{};
};

}  // namespace warpmark::fakes
