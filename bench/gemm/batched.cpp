// SPDX-License-Identifier: Apache-2.0
// Many small products in one launch: what starting each of them costs.
#include "bench/gemm/product.h"
#include "harness/measure/setup.h"
#include "kernels/gemm/gemm.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = n, .n = n, .k = n, .batch = static_cast<std::size_t>(at.integer("batch"))};
}

const Registered batched{
    {.name = "gemm/batched",
     .about = "C = A B with n x n matrices, batch pairs of them in one launch",
     .axes = {{.name = "n", .values = {64}}, {.name = "batch", .values = {1024}}},
     .modes = {Mode::isolated},
     .kernels = table_of<ops::Gemm>(),
     .rate = flop_rate,
     .probed = true,
     .work = [](const Case& at, const DeviceInfo&) { return gemm_work(shape_of(at), at.kernel.dtype); },
     .ceiling = gemm_ceiling,
     .job = [](Setup& setup) { return gemm_job(setup, shape_of(setup.at())); }}};

}  // namespace
}  // namespace warpmark
