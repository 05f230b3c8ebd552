// SPDX-License-Identifier: Apache-2.0
// The chase on a GPU: one thread of one block, so that nothing hides the time of a load.
#include "kernels/latency/chase_cuda.h"

#include "embedded/chase_cuda_code.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/cycle.h"
#include "harness/core/kernel.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::Chase& op) {
  static const DeviceCode code(embedded::chase_cuda_code());
  const LoadedKernel kernel = code.kernel(cuda_stream(stream).cuda_device(), "latency_chase");
  const CycleWalk start({.first = op.ring, .nodes = op.nodes, .stride_bytes = op.stride_bytes, .seed = op.seed});
  return {.launch =
              [kernel, op, at = start](Stream& s) mutable {
                const void* const first = at.address();
                cuda_stream(s).launch(kernel, {},
                                      ChaseParameters{.op = op, .first = first, .place = at.advance(op.steps)});
              },
          .about = {{"threads", 1}, {"jit", kernel.jit}}};
}

const Implements<ops::Chase> chase{{.id = {"cuda", "chase", DType::u64}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
