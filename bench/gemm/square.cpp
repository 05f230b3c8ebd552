// SPDX-License-Identifier: Apache-2.0
// Square matrix product: the shape that every library is tuned for.
#include "bench/gemm/product.h"
#include "harness/measure/setup.h"
#include "kernels/gemm/gemm.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = n, .n = n, .k = n};
}

const Registered square{
    {.name = "gemm/square",
     .about = "C = A B with n x n matrices",
     .axes = {{.name = "n", .values = {512, 1024, 2048, 4096}}},
     .modes = {Mode::isolated, Mode::batch},
     .kernels = table_of<ops::Gemm>(),
     .rate = flop_rate,
     .probed = true,
     .work = [](const Case& at, const DeviceInfo&) { return gemm_work(shape_of(at), at.kernel.dtype); },
     .ceiling = gemm_ceiling,
     .job = [](Setup& setup) { return gemm_job(setup, shape_of(setup.at())); }}};

}  // namespace
}  // namespace warpmark
