// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/launched.h"

extern "C" __global__ void check_launched_u8(const warpmark::ops::LaunchedCheck p) {
  const auto* const bytes = static_cast<const unsigned char*>(p.empty.arguments);
  const bool is_sum_wrong =
      p.empty.launched->sum != warpmark::ops::weighted_sum(bytes, p.empty.argument_bytes, p.launches);
  const bool are_blocks_wrong = p.empty.launched->blocks != p.empty.blocks * p.launches;
  *p.out = static_cast<double>(is_sum_wrong) + static_cast<double>(are_blocks_wrong);
}
