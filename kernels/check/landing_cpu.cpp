// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/landing.h"

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/core/shuffle.h"

namespace warpmark::cpu {
namespace {

bool is_right(const ops::Chase& op) {
  if (op.landing->place >= op.nodes) return false;
  const std::uint64_t node = Shuffle(op.seed, op.nodes)(op.landing->place);
  return op.landing->address == reinterpret_cast<std::uintptr_t>(op.ring) + node * op.stride_bytes;
}

Bound bind(Stream&, const ops::LandingCheck& op) {
  return {.launch = [op](Stream&) { *op.out = is_right(op.op) ? 0 : 1; }};
}

const Implements<ops::LandingCheck> check{{.id = {"cpu", "check", DType::u64}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
