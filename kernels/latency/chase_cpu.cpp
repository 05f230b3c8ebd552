// SPDX-License-Identifier: Apache-2.0
// The chase on the cpu: by the calling thread, which is pinned to the pool's first core, while the others sleep.
#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/cycle.h"
#include "harness/core/kernel.h"
#include "kernels/latency/chase.h"

namespace warpmark::cpu {
namespace {

const void* walk(const void* at, std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) at = *static_cast<const void* const*>(at);
  return at;
}

Bound bind(Stream& stream, const ops::Chase& op) {
  pool_of(stream).rest();  // also makes the pool, and with it pins this thread
  const CycleWalk start({.first = op.ring, .nodes = op.nodes, .stride_bytes = op.stride_bytes, .seed = op.seed});
  return {.launch =
              [op, at = start](Stream&) mutable {
                const void* const end = walk(at.address(), op.steps);
                *op.landing = {.address = reinterpret_cast<std::uintptr_t>(end), .place = at.advance(op.steps)};
              },
          .about = {{"threads", 1}}};
}

const Implements<ops::Chase> chase{{.id = {"cpu", "chase", DType::u64}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
