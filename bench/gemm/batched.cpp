// SPDX-License-Identifier: Apache-2.0
// Many small products in one launch: what starting each of them costs.
#include "bench/gemm/product.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = n, .n = n, .k = n, .batch = static_cast<std::size_t>(at.integer("batch"))};
}

const Registered batched{
    gemm_benchmark<shape_of>("gemm/batched", "C = A B with n x n matrices, batch pairs of them in one launch",
                             {{.name = "n", .values = {64}}, {.name = "batch", .values = {1024}}}, {Mode::isolated})};

}  // namespace
}  // namespace warpmark
