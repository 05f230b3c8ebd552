// SPDX-License-Identifier: Apache-2.0
// Binds the products of our own: one launch, a block per tile of C.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_cuda.h"

namespace warpmark::cuda {

inline Bound bind_gemm(const DeviceCode& code, const char* name, Stream& stream, const ops::Gemm& op,
                       const GemmTile& tile) {
  const LoadedKernel kernel = code.kernel(cuda_stream(stream).cuda_device(), name);
  constexpr std::size_t most_along_z = 65535;  // a block then has more than one pair of the batch
  const Grid grid{.blocks = static_cast<unsigned>(gemm_tiles(op.m, tile.rows) * gemm_tiles(op.n, tile.columns)),
                  .threads = tile.threads,
                  .blocks_z = static_cast<unsigned>(std::min(op.batch, most_along_z))};
  return {.launch = [kernel, grid, op](Stream& s) { cuda_stream(s).launch(kernel, grid, op); },
          .about = {{"tile", fmt::format("{}x{}x{}", tile.rows, tile.columns, tile.depth)},
                    {"block_threads", tile.threads},
                    {"jit", kernel.jit}}};
}

}  // namespace warpmark::cuda
