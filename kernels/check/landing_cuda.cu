// SPDX-License-Identifier: Apache-2.0
#include "harness/core/shuffle.h"
#include "kernels/check/landing.h"

extern "C" __global__ void check_landing_u64(const warpmark::ops::LandingCheck p) {
  const warpmark::ops::Landing landing = *p.op.landing;
  bool is_right = landing.place < p.op.nodes;
  if (is_right) {
    const std::uint64_t node = warpmark::Shuffle(p.op.seed, p.op.nodes)(landing.place);
    is_right = landing.address == reinterpret_cast<std::uint64_t>(p.op.ring) + node * p.op.stride_bytes;
  }
  *p.out = is_right ? 0 : 1;
}
