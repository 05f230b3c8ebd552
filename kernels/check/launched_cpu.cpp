// SPDX-License-Identifier: Apache-2.0
#include "harness/core/kernel.h"
#include "kernels/check/launched.h"

namespace warpmark::cpu {
namespace {

double wrong(const ops::LaunchedCheck& op) {
  const auto* const bytes = static_cast<const unsigned char*>(op.empty.arguments);
  const ops::Launched& got = *op.empty.launched;
  const bool is_sum_wrong = got.sum != ops::weighted_sum(bytes, op.empty.argument_bytes, op.launches);
  const bool are_blocks_wrong = got.blocks != op.empty.blocks * op.launches;
  return static_cast<double>(is_sum_wrong) + static_cast<double>(are_blocks_wrong);
}

Bound bind(Stream&, const ops::LaunchedCheck& op) {
  return {.launch = [op](Stream&) { *op.out = wrong(op); }};
}

const Implements<ops::LaunchedCheck> check{{.id = {"cpu", "check", DType::u8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
