// SPDX-License-Identifier: Apache-2.0
// Binds the checks of the cuda backend that are one kernel whose blocks stride over elements.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/backends/cuda/fold_scratch.h"
#include "harness/core/kernel.h"

namespace warpmark::cuda {

[[nodiscard]] inline LoadedKernel check_kernel(const DeviceCode& code, Stream& stream, std::string_view name,
                                               DType dtype) {
  const std::string full = fmt::format("check_{}_{}", name, warpmark::name_of(dtype));
  return code.kernel(cuda_stream(stream).cuda_device(), full.c_str());
}

template <class Op>
Bound bind_check(const DeviceCode& code, Stream& stream, const Op& op, std::string_view name, DType dtype) {
  const LoadedKernel kernel = check_kernel(code, stream, name, dtype);
  const unsigned blocks = persistent_blocks(stream, (op.n + fold_threads - 1) / fold_threads);
  const auto scratch = std::make_shared<FoldScratch>(stream, blocks);
  return {.launch = [kernel, blocks, scratch, op](Stream& s) {
    cuda_stream(s).launch(kernel, {.blocks = blocks, .threads = fold_threads},
                          Folded<Op>{.op = op, .fold = scratch->place()});
  }};
}

}  // namespace warpmark::cuda
