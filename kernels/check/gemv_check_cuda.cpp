// SPDX-License-Identifier: Apache-2.0
#include "embedded/gemv_check_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/check_cuda.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::GemvCheck& op) {
  static const DeviceCode code(embedded::gemv_check_cuda_code());
  const LoadedKernel kernel = check_kernel(code, stream, "gemv", DType::f16);
  const unsigned blocks = persistent_blocks(stream, (op.n * 32 + fold_threads - 1) / fold_threads);
  const auto scratch = std::make_shared<FoldScratch>(stream, blocks);
  return {.launch = [kernel, blocks, scratch, op](Stream& s) {
    cuda_stream(s).launch(kernel, {.blocks = blocks, .threads = fold_threads},
                          GemvCheckParameters{.op = op, .fold = scratch->place()});
  }};
}

const Implements<ops::GemvCheck> f16{{.id = {"cuda", "check", DType::f16}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
