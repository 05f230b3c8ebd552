// SPDX-License-Identifier: Apache-2.0
// What one launch has to move and to compute, known before it runs.
#pragma once

namespace warpmark {

/// The least traffic the result needs, each array counted once; write-allocate, cache reuse and transfers are not in
/// it. A fused multiply-add counts as two FLOP. Steps are what is done one after the other, where the time of each is
/// the answer: the loads of a chain.
struct Work {
  double bytes_read = 0;
  double bytes_written = 0;
  double flops = 0;
  double steps = 0;

  [[nodiscard]] double bytes() const { return bytes_read + bytes_written; }
};

}  // namespace warpmark
