// SPDX-License-Identifier: Apache-2.0
// A few rows times a large matrix, as when a language model reads a short prompt: B decides how fast it goes.
#include "bench/gemm/product.h"
#include "harness/measure/setup.h"
#include "kernels/gemm/gemm.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = static_cast<std::size_t>(at.integer("m")), .n = n, .k = n};
}

const Registered skinny{
    {.name = "gemm/skinny",
     .about = "C = A B with m x n times n x n, m small",
     .axes = {{.name = "m", .values = {16}}, {.name = "n", .values = {4096}}},
     .modes = {Mode::isolated},
     .kernels = table_of<ops::Gemm>(),
     .rate = flop_rate,
     .probed = true,
     .work = [](const Case& at, const DeviceInfo&) { return gemm_work(shape_of(at), at.kernel.dtype); },
     .ceiling = gemm_ceiling,
     .job = [](Setup& setup) { return gemm_job(setup, shape_of(setup.at())); }}};

}  // namespace
}  // namespace warpmark
