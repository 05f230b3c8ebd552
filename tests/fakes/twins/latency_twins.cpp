// SPDX-License-Identifier: Apache-2.0
// Twin of kernels/latency/chase_cuda.cu.
#include "kernels/latency/chase_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::ChaseParameters;

extern "C" {
void latency_chase(ChaseParameters);
}

namespace warpmark::fakes {
namespace {

/// A ring that no cache holds is walked on in the next launch, so it counts as touched in whole.
Work of_chase(const ChaseParameters& p) {
  return {.steps = static_cast<double>(p.op.steps),
          .touched = {range_of(p.op.ring, p.op.nodes * p.op.stride_bytes)},
          .output = range_of(p.op.landing, sizeof *p.op.landing),
          .output_element_bytes = sizeof(std::uint64_t)};
}

}  // namespace

std::vector<Twin> latency_twins() { return {twin_of<ChaseParameters, latency_chase, of_chase>("latency_chase")}; }

}  // namespace warpmark::fakes
