// SPDX-License-Identifier: Apache-2.0
// The device memory behind a FoldPlace, made once when a kernel is bound.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/grid_fold.h"

namespace warpmark::cuda {

class FoldScratch {
 public:
  FoldScratch(Stream& stream, unsigned blocks)
      : memory_(stream.device().allocate(first_partial + blocks * partial_bytes)) {
    constexpr unsigned none_came = 0;
    stream.copy_in(memory_.data(), &none_came, sizeof none_came);
  }

  [[nodiscard]] FoldPlace place() const {
    return {.ticket = static_cast<unsigned*>(memory_.data()),
            .partials = static_cast<std::byte*>(memory_.data()) + first_partial};
  }

 private:
  static constexpr std::size_t first_partial = 256;  // not on the line that all blocks count on
  static constexpr std::size_t partial_bytes = 16;

  Buffer memory_;
};

/// Blocks that go through `items` of a block each: as many as the device runs at once, each item by one of them.
[[nodiscard]] inline unsigned persistent_blocks(Stream& stream, std::size_t items) {
  constexpr std::size_t blocks_per_sm = 8;
  const auto at_once = static_cast<std::size_t>(cuda_stream(stream).cuda_device().chip().sms) * blocks_per_sm;
  return static_cast<unsigned>(std::max<std::size_t>(std::min(items, at_once), 1));
}

}  // namespace warpmark::cuda
