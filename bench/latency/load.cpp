// SPDX-License-Identifier: Apache-2.0
// The time of a load that waits for the one before it: a walk along a random cycle through the whole footprint.
#include <fmt/format.h>

#include "bench/memory/footprint.h"
#include "harness/core/error.h"
#include "harness/measure/setup.h"
#include "kernels/check/landing.h"
#include "kernels/latency/chase.h"

namespace warpmark {
namespace {

// Some milliseconds in caches and tens of them in memory: starting a kernel is a thousandth of it.
constexpr std::size_t least_steps = 65536;

std::size_t stride_bytes_on(const DeviceInfo& device) { return cache_line_bytes(device.backend); }

std::size_t nodes_of(const Case& at, const DeviceInfo& device) {
  const auto bytes = static_cast<std::size_t>(footprint_bytes(at, device));
  const std::size_t stride = stride_bytes_on(device);
  return bytes / stride + (bytes % stride == 0 ? 0 : 1);
}

/// Whole rounds of a small ring less one step, so that no walk ends where it began.
std::size_t steps_of(std::size_t nodes) {
  return nodes > least_steps ? least_steps : (least_steps + nodes - 1) / nodes * nodes - 1;
}

Work load_work(const Case& at, const DeviceInfo& device) {
  const auto steps = static_cast<double>(steps_of(nodes_of(at, device)));
  return {.bytes_read = steps * static_cast<double>(size_of(at.kernel.dtype)), .steps = steps};
}

CeilingRule load_ceiling(const Case&, const DeviceInfo&) {
  return {.why_none =
              "no data sheet tells how long a load takes; the smaller footprints show the caches to hold it "
              "against"};
}

Turn load_turn(Setup& s, std::size_t nodes) {
  constexpr std::uint64_t seed = 1;
  const std::size_t stride = stride_bytes_on(s.device().info());
  const ops::Chase op{.ring = s.cycle(nodes, stride, seed),
                      .nodes = nodes,
                      .stride_bytes = stride,
                      .seed = seed,
                      .steps = steps_of(nodes),
                      .landing = s.poisoned_as<ops::Landing>(1)};
  s.about().update({{"nodes", nodes}, {"stride_bytes", stride}, {"steps", op.steps}});
  const ops::LandingCheck check{.op = op};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; }};
}

Job load_job(Setup& setup) {
  const DeviceInfo& device = setup.device().info();
  const std::size_t nodes = nodes_of(setup.at(), device);
  return {.turns = setup.rotate(nodes * stride_bytes_on(device), [nodes](Setup& s) { return load_turn(s, nodes); })};
}

const Registered load{{.name = "latency/load",
                       .about = "how long one load takes that waits for another, by the footprint of a random cycle",
                       .axes = {footprint_axis()},
                       .modes = {Mode::batch},
                       .kernels = table_of<ops::Chase>(),
                       .rate = latency,
                       .work = load_work,
                       .ceiling = load_ceiling,
                       .job = load_job}};

}  // namespace
}  // namespace warpmark
