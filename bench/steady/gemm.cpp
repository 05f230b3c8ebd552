// SPDX-License-Identifier: Apache-2.0
// Square matrix products back to back until the chip is warm: what a machine computes for as long as it is rented.
#include "bench/gemm/product.h"
#include "bench/steady/duration.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = n, .n = n, .k = n};
}

Benchmark steady_gemm() {
  Benchmark benchmark = gemm_benchmark<shape_of>(
      "steady/gemm",
      "C = A B with n x n matrices, back to back for so many seconds: what is left when the device is warm",
      {{.name = "n", .values = {4096}}, seconds_axis()}, {Mode::batch});
  benchmark.probed = false;  // nothing comes between the products
  benchmark.lasts = seconds_of;
  return benchmark;
}

const Registered registered{steady_gemm()};

}  // namespace
}  // namespace warpmark
