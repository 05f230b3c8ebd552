// SPDX-License-Identifier: Apache-2.0
// What a graph of launches costs, step by step: what a node adds on the device, what the call to launch it costs the
// host, and what is paid once.
#include "bench/launch/empty.h"

#include <array>
#include <string_view>
#include <utility>

#include "harness/core/error.h"

namespace warpmark {
namespace {

constexpr std::array<std::pair<std::string_view, ops::GraphStep>, 4> steps{
    {{"node", ops::GraphStep::node},
     {"launch", ops::GraphStep::launch},
     {"instantiate", ops::GraphStep::instantiate},
     {"upload", ops::GraphStep::upload}}};

Axis step_axis() {
  Axis axis{.name = "step"};
  for (const auto& [name, step] : steps) axis.values.emplace_back(std::string(name));
  return axis;
}

ops::GraphStep step_of(const Case& at) {
  const std::string asked = text_of(at["step"]);
  for (const auto& [name, step] : steps)
    if (name == asked) return step;
  throw Unsupported("a graph has no step " + asked + ": node, launch, instantiate, upload");
}

Job graph_job(Setup& setup) {
  constexpr std::size_t argument_bytes = 64;
  const auto nodes = static_cast<std::size_t>(setup.at().integer("nodes"));
  const ops::GraphOfEmpty op{
      .empty = empty_of(setup, argument_bytes, 1, nodes), .nodes = nodes, .step = step_of(setup.at())};
  return launch_job(setup, op, nodes);
}

const Registered graph{
    {.name = "launch/graph",
     .about = "a graph of so many empty kernels one after the other: the device's time for a node more, the "
              "host's for launching it, and for instantiating and uploading it once",
     .axes = {step_axis(), {.name = "nodes", .values = {16, 128, 1024}}},
     .modes = {Mode::batch},
     .kernels = table_of<ops::GraphOfEmpty>(),
     .rate = latency,
     .quiet = true,
     .work = one_step,
     .ceiling = no_ceiling,
     .job = graph_job}};

}  // namespace
}  // namespace warpmark
